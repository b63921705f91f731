// xPos as exact values and correctly rounded entries: literal values, the reference, refusals.

#include "ropewalk/encoding/xpos.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <random>
#include <stdexcept>
#include <string>

#include "ropewalk/reference/xpos.hpp"
#include "ropewalk/table/rope_rows.hpp"
#include "ropewalk/table/xpos_rows.hpp"

namespace ropewalk {
namespace {

using number = boost::multiprecision::cpp_bin_float_100;

double nearest_scale(int pair, std::int64_t position, xpos_side side, const xpos& config) {
  return from_bits<double>(round_with_enough_limbs<double>(
      "scale", [&]<int N>() { return xpos_scale<N>(pair, position, side, config); }));
}

TEST(Xpos, BasesAreThePublishedOnes) {
  // torchscale, head_dim 8: (0, 2, 4, 6) + 3.2 over 11.2
  const xpos config{.rotary_dim = 8};
  EXPECT_EQ(xpos_base(0, config), rational<1>::of(2) / rational<1>::of(7));
  EXPECT_EQ(xpos_base(1, config), rational<1>::of(13) / rational<1>::of(28));
  EXPECT_EQ(xpos_base(2, config), rational<1>::of(9) / rational<1>::of(14));
  EXPECT_EQ(xpos_base(3, config), rational<1>::of(23) / rational<1>::of(28));
}

TEST(Xpos, ExponentsAreCountedFromTheMiddleAsPythonFloors) {
  EXPECT_EQ(xpos_offset({.rotary_dim = 8}), 0);
  EXPECT_EQ(xpos_offset({.rotary_dim = 8, .length = 1}), -1);
  EXPECT_EQ(xpos_offset({.rotary_dim = 8, .length = 2}), -1);
  EXPECT_EQ(xpos_offset({.rotary_dim = 8, .length = 5}), -3);
  EXPECT_EQ(xpos_offset({.rotary_dim = 8, .length = 2048}), -1024);
}

TEST(Xpos, ScalesOfWholeExponentsAreExact) {
  const xpos config{.rotary_dim = 64, .length = 2048};  // pair 4 has z = 3/8; exponents start at -2
  EXPECT_EQ(nearest_scale(4, 1024, xpos_side::query, config), 1);
  EXPECT_EQ(nearest_scale(4, 1536, xpos_side::query, config), 0.375);
  EXPECT_EQ(nearest_scale(4, 0, xpos_side::key, config), 0.140625);
  EXPECT_EQ(nearest_scale(4, 0, xpos_side::query, config), 64.0 / 9);
  EXPECT_EQ(nearest_scale(0, 512, xpos_side::query, {.rotary_dim = 64}), 2.0 / 7);
  EXPECT_EQ(nearest_scale(0, 512, xpos_side::key, {.rotary_dim = 64}), 3.5);
}

TEST(Xpos, AtTheMiddleItIsRope) {
  const xpos config{.rotary_dim = 16, .length = 200};
  const rope_rows rows(rotary_part(config));
  for (int pair = 0; pair < 8; ++pair)
    for (const xpos_side side : {xpos_side::query, xpos_side::key}) {
      const auto got = round_xpos_entry<float>(pair, 100, side, config);
      const auto wanted = rows.entry<float>(pair, 100, false);
      EXPECT_EQ(got.cos, wanted.cos);
      EXPECT_EQ(got.sin, wanted.sin);
    }
}

template <floating_format Float>
std::uint64_t bits_of_number(const number& x) {
  // The 100 digits round as the exact number does, except next to a rounding midpoint, which no case here is.
  return to_bits<Float>(x.convert_to<Float>());
}

TEST(Xpos, EntriesAreThoseOfTheReference) {
  std::mt19937_64 random(3);
  for (const xpos& config :
       {xpos{.rotary_dim = 64, .length = 2048}, xpos{.base = 500000, .rotary_dim = 18, .length = 777},
        xpos{.rotary_dim = 128, .scale_base = 1024}})
    for (int time = 0; time < 60; ++time) {
      const auto position = static_cast<std::int64_t>(random() % 40000) - 4000;
      const int pair = static_cast<int>(random() % static_cast<unsigned>(config.rotary_dim / 2));
      const xpos_side side = random() % 2 == 0 ? xpos_side::query : xpos_side::key;
      const auto wanted = reference::xpos_cos_sin<number>(position, pair, side, config);
      const auto wide = round_xpos_entry<double>(pair, position, side, config);
      const auto single = round_xpos_entry<float>(pair, position, side, config);
      EXPECT_EQ(wide.cos, bits_of_number<double>(wanted.cos)) << pair << ' ' << position;
      EXPECT_EQ(wide.sin, bits_of_number<double>(wanted.sin)) << pair << ' ' << position;
      EXPECT_EQ(single.cos, bits_of_number<float>(wanted.cos)) << pair << ' ' << position;
      EXPECT_EQ(single.sin, bits_of_number<float>(wanted.sin)) << pair << ' ' << position;
    }
}

TEST(Xpos, SineAtPositionZeroIsPositiveZero) {
  const xpos config{.rotary_dim = 64, .length = 2048};
  for (const xpos_side side : {xpos_side::query, xpos_side::key})
    EXPECT_EQ(round_xpos_entry<float>(7, 0, side, config).sin, 0u);
}

TEST(Xpos, BackwardIsTheAdjointAndNotTheInverse) {
  const xpos config{.rotary_dim = 64};
  const auto there = xpos_block<4>(0, 512, xpos_side::query, config);
  const auto back = xpos_block<4>(0, 512, xpos_side::query, config, true);
  const auto product = there.cos * back.cos - there.sin * back.sin;  // z^2 on the diagonal
  EXPECT_EQ(round<double>(product).bits, to_bits(4.0 / 49));
}

TEST(Xpos, RefusesWithFieldValueAndWhatIsAllowed) {
  const auto refusal = [](const xpos& config, std::int64_t position) -> std::string {
    try {
      (void)xpos_scale<2>(0, position, xpos_side::query, config);
    } catch (const std::invalid_argument& e) {
      return e.what();
    }
    return "";
  };
  EXPECT_EQ(refusal({.rotary_dim = 8, .scale_base = 0}, 0),
            "scale_base is 0; allowed: a whole number from 1 to 1048576");
  EXPECT_EQ(refusal({.rotary_dim = 8, .length = -1}, 0),
            "length is -1; allowed: a whole number from 0 to 2147483648");
  EXPECT_EQ(refusal({.rotary_dim = 7}, 0), "rotary_dim is 7; allowed: an even number from 2 to 65536");
  EXPECT_EQ(refusal({.rotary_dim = 8, .scale_base = 1}, 524289),
            "position is 524289; allowed: a position within 2^19 scale_base of the middle");
  EXPECT_EQ(refusal({.rotary_dim = 8, .scale_base = 1}, 524288), "");
  EXPECT_NE(refusal({.rotary_dim = 8}, std::int64_t{1} << 31), "");
  EXPECT_THROW(xpos_base(4, {.rotary_dim = 8}), std::invalid_argument);
}

}  // namespace
}  // namespace ropewalk
