// The quick rounding of coordinates: whatever it decides has the bits of the rounding in 128-bit arithmetic.

#include "ropewalk/table/unit_vector.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <random>

namespace ropewalk {
namespace {

constexpr signed_wide_word unit = static_cast<signed_wide_word>(1) << unit_fraction_bits;

/// How many of `tries` coordinates of magnitude 2^-scale, drawn by a seed, are decided at once.
template <floating_format Float>
int decided_of(int tries, int scale) {
  std::mt19937_64 draw(20261123);
  int decided = 0;
  for (int i = 0; i < tries; ++i) {
    const auto bits = (static_cast<wide_word>(draw()) << limb_bits) | draw();
    auto x = static_cast<signed_wide_word>(bits >> (128 - unit_fraction_bits + scale));
    if (draw() % 2 == 0) x = -x;
    const std::uint64_t error = draw() >> (2 + draw() % 62);
    bits_of<Float> quick{};
    if (!round_quickly<Float>(x, error, quick)) continue;
    ++decided;
    for (const std::int64_t off :
         {std::int64_t{0}, static_cast<std::int64_t>(error), -static_cast<std::int64_t>(error)}) {
      const signed_wide_word at = x + off;
      const rounding<Float> exact = round<Float>(at, 0, fixed_factor{});
      EXPECT_TRUE(exact.decided);
      EXPECT_EQ(exact.bits, quick) << i;
    }
  }
  return decided;
}

template <class Float>
class QuickRounding : public testing::Test {};
using quick_formats = testing::Types<float, binary16, bfloat16>;
TYPED_TEST_SUITE(QuickRounding, quick_formats);

TYPED_TEST(QuickRounding, HasTheBitsOfTheWholeRounding) {
  EXPECT_GT(decided_of<TypeParam>(20000, 0), 19000);
  EXPECT_GT(decided_of<TypeParam>(20000, 10), 18000);
  decided_of<TypeParam>(20000, 25);
}

TYPED_TEST(QuickRounding, LeavesPointsNextToAMidpointUndecided) {
  constexpr int dropped = unit_fraction_bits - format<TypeParam>::precision;  // of a number in [1/2, 1)
  constexpr signed_wide_word midpoint = unit / 2 + (static_cast<signed_wide_word>(1) << (dropped - 1));
  bits_of<TypeParam> bits = 7;
  for (int off = -2; off <= 2; ++off) {
    const signed_wide_word near =
        midpoint + static_cast<signed_wide_word>(off) * (static_cast<signed_wide_word>(1) << 64);
    EXPECT_FALSE(round_quickly<TypeParam>(near, 0, bits)) << off;
    EXPECT_FALSE(round_quickly<TypeParam>(-near, 0, bits)) << off;
  }
  EXPECT_EQ(bits, 7);
}

TYPED_TEST(QuickRounding, LeavesSmallCoordinatesAndLargeErrorsUndecided) {
  bits_of<TypeParam> bits{};
  EXPECT_FALSE(round_quickly<TypeParam>(0, 0, bits));
  EXPECT_FALSE(round_quickly<TypeParam>(unit >> 80, 0, bits));
  EXPECT_FALSE(round_quickly<TypeParam>(unit >> 50, 0, bits));
  EXPECT_FALSE(round_quickly<TypeParam>(unit / 3, std::uint64_t{1} << 62, bits));
  EXPECT_TRUE(round_quickly<TypeParam>(unit / 3, (std::uint64_t{1} << 62) - 1, bits));
}

TYPED_TEST(QuickRounding, CarriesIntoTheNextPowerOfTwo) {
  bits_of<TypeParam> bits{};
  ASSERT_TRUE(round_quickly<TypeParam>(unit - (unit >> 40), 0, bits));
  EXPECT_EQ(bits, (round<TypeParam>(unit, 0, fixed_factor{}).bits));
  ASSERT_TRUE(round_quickly<TypeParam>((unit >> 40) - unit, 0, bits));
  EXPECT_EQ(bits, (round<TypeParam>(-unit, 0, fixed_factor{}).bits));
}

wide_word wide_of(std::uint64_t high, std::uint64_t low) {
  return (static_cast<wide_word>(high) << limb_bits) | low;
}

TEST(UnitVector, ProductsAreCutOffAfterTheirLastBit) {
  constexpr std::uint64_t ones = ~std::uint64_t{0};
  const wide_word numbers[] = {wide_of(ones >> 1, ones), wide_of(ones >> 2, 0), wide_of(0, ones),
                               wide_of(std::uint64_t{1} << 62, 0), wide_of(12345, std::uint64_t{1} << 63)};
  for (const wide_word a : numbers)
    for (const wide_word b : numbers) {
      const auto words = [](wide_word x) {
        return limbs<2>{{static_cast<std::uint64_t>(x), static_cast<std::uint64_t>(x >> limb_bits)}};
      };
      const limbs<4> whole = shift_right(multiply(words(a), words(b)), unit_fraction_bits);
      EXPECT_EQ(words(multiply_fixed(a, b)), resize<2>(whole));
    }
}

TEST(UnitVector, WhatIsCutOffIsAnError) {
  const enclosure<4> whole = enclosure<4>::of(1), low = times_power_of_two(whole, -127);
  EXPECT_EQ(to_unit_vector(cos_sin<4>{whole, enclosure<4>::of(0)}).error, 0u);
  EXPECT_GE(to_unit_vector(cos_sin<4>{whole - low, low}).error, 2u);
  EXPECT_EQ(to_fixed_factor(whole).error, 0u);
  EXPECT_EQ(to_fixed_factor(whole + low).error, 1u);
  EXPECT_TRUE(is_one(to_fixed_factor(whole)));
  EXPECT_FALSE(is_one(to_fixed_factor(whole + low)));
  EXPECT_FALSE(is_one(to_fixed_factor(enclosure<4>::of(2))));
  EXPECT_FALSE(is_one(to_fixed_factor(enclosure<4>::of(1.5))));
}

TEST(UnitVector, PointsOfAWalkLieWithinTheirErrors) {
  for (const double turns : {0x1p-30, 0.1, -0.37}) {
    const auto at = [&](std::int64_t n) {
      return cos_sin_of_turns(enclosure<4>::of(turns) * enclosure<4>::of(n));
    };
    const auto is_near = [](const enclosure<4>& truth, signed_wide_word x, std::uint64_t error) {
      const signed_wide_word off = x - detail::fixed_midpoint(truth.midpoint);
      return magnitude_of(off) <= static_cast<wide_word>(error) + 1;
    };
    const unit_vector step = to_unit_vector(at(1));
    std::int64_t visited = 0;
    walk(to_unit_vector(at(0)), step, step, 301,
         [&](std::int64_t n, signed_wide_word cos, signed_wide_word sin, std::uint64_t error) {
           EXPECT_EQ(n, visited++);
           EXPECT_TRUE(is_near(at(n).cos, cos, error) && is_near(at(n).sin, sin, error)) << turns << ' ' << n;
           EXPECT_LT(error, std::uint64_t{1} << 22);
         });
    EXPECT_EQ(visited, 301);
  }
}

}  // namespace
}  // namespace ropewalk
