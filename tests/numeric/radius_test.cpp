// Radii and fixed-point numbers round their errors up, never down.

#include "ropewalk/numeric/radius.hpp"

#include <gtest/gtest.h>

#include "ropewalk/numeric/fixed_point.hpp"

namespace ropewalk {
namespace {

constexpr std::uint32_t half_range = std::uint32_t{1} << 31;

TEST(Radius, OfMoreThan32BitsIsRoundedUp) {
  EXPECT_EQ(radius_at_least((std::uint64_t{half_range} << 8) + 1, 0), (radius{half_range + 1, 8}));
  EXPECT_EQ(radius_at_least(~std::uint64_t{0}, 0), (radius{half_range, 33}));
  EXPECT_EQ(radius_at_least(1, 0), (radius{half_range, -31}));
  EXPECT_TRUE(is_zero(radius_at_least(0, 5)));
}

TEST(Radius, SumsAreNeverBelowTheTruth) {
  const radius at_one{half_range, 0};
  EXPECT_EQ(at_one + (radius{half_range, -300}), (radius{half_range + 1, 0}));
  EXPECT_EQ((radius{half_range, -300}) + at_one, (radius{half_range + 1, 0}));
  EXPECT_EQ(at_one + (radius{half_range + 1, -4}), (radius{half_range + (half_range >> 4) + 1, 0}));
  EXPECT_EQ(at_one + (radius{half_range, -4}), (radius{half_range + (half_range >> 4), 0}));
}

TEST(Radius, QuotientsAreNeverBelowTheTruth) {
  const radius third = radius{half_range, 0} / (radius{std::uint32_t{3} << 30, 0});
  EXPECT_EQ(third, (radius{2863311531, -32}));  // 2^33 / 3, rounded up
  EXPECT_TRUE(is_zero(radius{} / third));
}

TEST(Radius, UnitsAreRoundedUpAndManyAreHopeless) {
  EXPECT_EQ(in_units({half_range, -40}, 0), 1u);
  EXPECT_EQ(in_units({half_range, -30}, 0), 3u);
  EXPECT_EQ(in_units({half_range, 29}, 0), std::uint64_t{1} << 60);
  EXPECT_EQ(in_units({half_range, 30}, 0), hopeless_units);
  EXPECT_EQ(in_units({}, 0), 0u);
}

TEST(Radius, OrderIsThatOfExponentsThenOfSignificands) {
  const radius small{half_range + 9, 3}, large{half_range, 4};
  EXPECT_TRUE(small < large);
  EXPECT_FALSE(large < small);
  EXPECT_TRUE((radius{half_range, 3}) < small);
  EXPECT_TRUE(radius{} < small);
  EXPECT_FALSE(small < radius{});
}

TEST(Radius, OfADyadicIsNotBelowIt) {
  const dyadic<2> x{false, {{1, std::uint64_t{1} << 63}}, -127};  // 1 + 2^-127
  EXPECT_EQ(magnitude_above(x), (radius{half_range + 1, -31}));
  EXPECT_EQ(magnitude_below(x), (radius{half_range, -31}));
}

/// value / 2^128, off by at most `error` units.
fixed_point<2> fixed(std::uint64_t value, std::uint64_t error) { return {limbs_of<2>(value), error}; }

TEST(FixedPoint, ErrorsAddUp) {
  EXPECT_EQ((fixed(9, 2) + fixed(5, 3)).error, 5u);
  EXPECT_EQ((fixed(9, 2) - fixed(5, 3)).error, 5u);
  EXPECT_EQ((fixed(9, 2) - fixed(5, 3)).value, limbs_of<2>(4));
  EXPECT_EQ(times(fixed(9, 2), 4).error, 8u);
}

TEST(FixedPoint, WhatIsCutOffIsAnError) {
  EXPECT_EQ(one_over<2>(3).error, 1u);
  EXPECT_EQ(one_over<2>(4).error, 0u);
  EXPECT_GE((fixed(9, 0) / 2).error, 1u);
  EXPECT_EQ((fixed(8, 0) / 2).error, 0u);
  EXPECT_GE((fixed(9, 0) * fixed(5, 0)).error, 1u);
  EXPECT_EQ((one_over<2>(4) * one_over<2>(8)).error, 0u);
  EXPECT_GE((one_over<2>(3) * one_over<2>(4)).error, 1u);
}

TEST(FixedPoint, OfANumberBelowItsLastPlaceIsZeroWithAnError) {
  const enclosure<2> third = enclosure<2>::of(1) / enclosure<2>::of(3);
  const fixed_point<2> small = midpoint_as_fixed_point<2>(times_power_of_two(third, -200));
  EXPECT_TRUE(is_zero(small.value));
  EXPECT_EQ(small.error, 1u);
  EXPECT_TRUE(is_zero(midpoint_as_fixed_point<2>(-third).value));
  EXPECT_EQ(midpoint_as_fixed_point<2>(enclosure<2>::of(0.25)).value, shift_left(limbs_of<2>(1), 126));
}

}  // namespace
}  // namespace ropewalk
