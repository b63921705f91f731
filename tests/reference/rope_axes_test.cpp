// Rotary embeddings on several axes, against the engines' way of building them in numbers of 100 digits.

#include "ropewalk/reference/rope_axes.hpp"

#include <gtest/gtest.h>

#include <random>
#include <stdexcept>
#include <string>
#include <vector>

#include "ropewalk/encoding/rope_axes.hpp"
#include "ropewalk/numeric/round.hpp"

namespace ropewalk {
namespace {

using number = boost::multiprecision::cpp_bin_float_100;

struct shape {
  rope_axes axes;
  rope config;
};

const std::vector<shape> shapes{
    {{axis_rule::text, {}}, {.rotary_dim = 32}},
    {{axis_rule::mrope, {16, 24, 24}}, {.base = 1000000, .rotary_dim = 128}},
    {{axis_rule::mrope, {0, 5, 11}}, {.rotary_dim = 32, .scaling = linear{.factor = 3}}},
    {{axis_rule::mrope, {16, 24, 24}},
     {.base = 1000000,
      .rotary_dim = 128,
      .scaling = yarn{.factor = 4, .original_max_position_embeddings = 32768}}},
    {{axis_rule::mrope_interleaved, {24, 20, 20}}, {.base = 5000000, .rotary_dim = 128}},
    {{axis_rule::mrope_interleaved, {3, 3, 2}}, {.rotary_dim = 16}},
    {{axis_rule::pixtral, {}}, {.rotary_dim = 64}},
    {{axis_rule::qwen_vision, {}}, {.rotary_dim = 80}}};

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
            << name_of(axes.rule) << " pair " << pair;
        EXPECT_EQ(round<double>(got.sin).bits, to_bits(wanted.sin.convert_to<double>()))
            << name_of(axes.rule) << " pair " << pair;
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
        reference::rope_axes_cos_sin<number>(positions, pair, {axis_rule::mrope, {24, 20, 20}}, config).cos !=
        reference::rope_axes_cos_sin<number>(positions, pair, {axis_rule::mrope_interleaved, {24, 20, 20}},
                                             config)
            .cos;
  EXPECT_EQ(differ, 43);
}

TEST(RopeAxesReference, RefusesAnotherNumberOfPositions) {
  EXPECT_THROW(
      reference::rope_axes_cos_sin<number>({1, 2, 3}, 0, {axis_rule::pixtral, {}}, {.rotary_dim = 8}),
      std::invalid_argument);
}

}  // namespace
}  // namespace ropewalk
