// Rotary embeddings on several axes, against the engines' way of building them in numbers of 100 digits.

#include "ropewalk/reference/rope_axes.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <random>
#include <stdexcept>
#include <string>
#include <vector>

#include "ropewalk/config/axes_families.hpp"
#include "ropewalk/encoding/rope_axes.hpp"
#include "ropewalk/numeric/round.hpp"
#include "ropewalk/table/rope_axes_rows.hpp"

namespace ropewalk {
namespace {

using number = boost::multiprecision::cpp_bin_float_100;

struct shape {
  rope_axes axes;
  rope config;
};

const std::vector<shape> shapes{{{}, {.rotary_dim = 32}},
                                {mrope(16, 24, 24), {.base = 1000000, .rotary_dim = 128}},
                                {mrope(0, 5, 11), {.rotary_dim = 32, .scaling = linear{.factor = 3}}},
                                {mrope(16, 24, 24),
                                 {.base = 1000000,
                                  .rotary_dim = 128,
                                  .scaling = yarn{.factor = 4, .original_max_position_embeddings = 32768}}},
                                {mrope_interleaved(24, 20, 20), {.base = 5000000, .rotary_dim = 128}},
                                {mrope_interleaved(3, 3, 2), {.rotary_dim = 16}},
                                {pixtral(32), {.rotary_dim = 64}},
                                {qwen_vision(40), {.rotary_dim = 80}}};

/// Whole positions of other shapes, and the families.
std::vector<shape> all_shapes() {
  static const double listed[] = {0.5, 0, 3};
  std::vector<shape> result = shapes;
  for (const axes_family& family : axes_families())
    if (family.encoding.rotary_dim <= 256)
      result.push_back({family.axes_of(pair_count(family.encoding)), family.encoding});
  rope_axes mixed = own_axes(3, 4, 0);
  mixed.still_pairs = 2;
  mixed.axis[0].turn = listed_frequencies(listed, angle_unit::half_turn);
  mixed.axis[1].turn = geometric_between({1, 3}, {5000, 7}, angle_unit::quarter_turn);
  result.push_back({mixed, {.rotary_dim = 18}});
  rope_axes fourth{.count = 4, .axis = {rotary_axis{3}, rotary_axis{2}, rotary_axis{1}, rotary_axis{4}}};
  fourth.order = axis_order::modulo;
  fourth.rest = 3;
  result.push_back({fourth, {.rotary_dim = 20}});
  return result;
}

/// A real coordinate: any bits, few bits, or near a whole number.
double draw_coordinate(std::mt19937_64& random) {
  const double unit = std::ldexp(static_cast<double>(random() >> 11), -53);
  switch (random() % 4) {
    case 0: return 2 * unit - 1;
    case 1: return std::ldexp(unit - 0.5, static_cast<int>(random() % 60) - 28);
    case 2: return static_cast<double>(random() % 64) / 8;
    default: return std::nextafter(static_cast<double>(random() % 100000), -1.0);
  }
}

/// The nearest number of a format. Quarters of a turn have an exact zero, of which 100 digits leave a rest;
/// no other angle of these comes as near to one.
template <class Float>
Float nearest(const number& x) {
  static const number rest("1e-90");
  return abs(x) < rest ? Float{0} : x.convert_to<Float>();
}

TEST(RopeAxesReference, AgreesAtRealCoordinatesOfEveryForm) {
  std::mt19937_64 random(43);
  int compared = 0;
  for (const auto& [axes, config] : all_shapes()) {
    const rope_axes_rows made(axes, config);
    for (int time = 0; time < 4; ++time) {
      std::vector<double> at;
      for (int axis = 0; axis < axis_count(axes); ++axis) at.push_back(draw_coordinate(random));
      const auto row = made.row_at<double>(at);
      const auto narrow = made.row_at<float>(at);
      for (int pair = 0; pair < pair_count(config); ++pair, ++compared) {
        const auto wanted = reference::rope_axes_cos_sin<number>(at, pair, axes, config);
        const auto place = static_cast<std::size_t>(pair);
        EXPECT_EQ(from_bits<double>(row[place].cos), nearest<double>(wanted.cos)) << pair << ' ' << at[0];
        EXPECT_EQ(from_bits<double>(row[place].sin), nearest<double>(wanted.sin)) << pair << ' ' << at[0];
        EXPECT_EQ(from_bits<float>(narrow[place].cos), nearest<float>(wanted.cos)) << pair;
        EXPECT_EQ(from_bits<float>(narrow[place].sin), nearest<float>(wanted.sin)) << pair;
      }
    }
  }
  EXPECT_GT(compared, 8000);
}

TEST(RopeAxesReference, AgreesWhereAnIndexHasACoordinate) {
  std::mt19937_64 random(44);
  const axis_coordinates maps{coordinate{{2, 7}, {-3, 1}}, coordinate{{24, 25}, {1, 2}},
                              coordinate{{-1, 1}, {-15, 4}}};
  for (const char* const name : {"wan", "ltx-video", "ernie-4.5-vl"}) {
    const axes_family& family = *family_named(name);
    rope encoding = family.encoding;
    encoding.rotary_dim = std::min(encoding.rotary_dim, 130);
    const rope_axes axes = family.axes_of(pair_count(encoding));
    const rope_axes_rows made(placed_rope{encoding, axes, maps});
    std::vector<std::int32_t> index;
    for (int axis = 0; axis < 3; ++axis) index.push_back(static_cast<std::int32_t>(random() % 4000) - 2000);
    const auto row = made.row<double>(index);
    for (int pair = 0; pair < pair_count(encoding); ++pair) {
      const auto wanted =
          reference::rope_axes_cos_sin<number>({index.begin(), index.end()}, pair, axes, encoding, maps);
      EXPECT_EQ(from_bits<double>(row[static_cast<std::size_t>(pair)].cos), nearest<double>(wanted.cos));
      EXPECT_EQ(from_bits<double>(row[static_cast<std::size_t>(pair)].sin), nearest<double>(wanted.sin));
    }
    EXPECT_THROW(made.row_at<double>({0, 0, 0}), std::invalid_argument);
  }
}

TEST(RopeAxesReference, AgreesWithTheExactValues) {
  std::mt19937_64 random(5);
  int compared = 0;
  for (const auto& [axes, config] : shapes)
    for (int time = 0; time < 4; ++time) {
      std::vector<double> positions;
      for (int axis = 0; axis < axis_count(axes); ++axis)
        positions.push_back(static_cast<double>(random() % 262144) - (time == 0 ? 0 : 131072));
      for (int pair = 0; pair < pair_count(config); ++pair, ++compared) {
        const auto wanted = reference::rope_axes_cos_sin<number>(positions, pair, axes, config);
        const auto got = rope_axes_block<6>(pair, positions, axes, config);
        EXPECT_EQ(round<double>(got.cos).bits, to_bits(wanted.cos.convert_to<double>()))
            << name_of(axes) << " pair " << pair;
        EXPECT_EQ(round<double>(got.sin).bits, to_bits(wanted.sin.convert_to<double>()))
            << name_of(axes) << " pair " << pair;
      }
    }
  EXPECT_EQ(compared, 4 * (16 + 64 + 16 + 64 + 64 + 8 + 32 + 40));
}

// Shows that a wrong order of sections would be found: chunks and strides give most pairs another axis.
TEST(RopeAxesReference, ChunksAndStridesAreNotTheSame) {
  const rope config{.base = 1000000, .rotary_dim = 128};
  const std::vector<double> positions{3, 50, 700};
  int differ = 0;
  for (int pair = 0; pair < 64; ++pair)
    differ +=
        reference::rope_axes_cos_sin<number>(positions, pair, mrope(24, 20, 20), config).cos !=
        reference::rope_axes_cos_sin<number>(positions, pair, mrope_interleaved(24, 20, 20), config).cos;
  EXPECT_EQ(differ, 43);
}

TEST(RopeAxesReference, RefusesAnotherNumberOfPositions) {
  EXPECT_THROW(reference::rope_axes_cos_sin<number>({1, 2, 3}, 0, pixtral(4), {.rotary_dim = 8}),
               std::invalid_argument);
}

}  // namespace
}  // namespace ropewalk
