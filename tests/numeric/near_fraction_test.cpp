#include "ropewalk/numeric/near_fraction.hpp"

#include <gtest/gtest.h>

#include <bit>
#include <cstdint>
#include <numeric>
#include <random>

#include "ropewalk/function/constants.hpp"

namespace ropewalk {
namespace {

using wide_number = enclosure<6>;

/// A number cut to 256 bits, to nearest.
wide_number of_256_bits(const wide_number& x) {
  wide_number value = x;
  const bool up = (value.midpoint.significand.word[1] >> 63) != 0;
  value.midpoint.significand.word[0] = value.midpoint.significand.word[1] = 0;
  limbs<6> unit{};
  unit.word[2] = 1;
  if (up) add_to(value.midpoint.significand, unit);
  return value;
}

wide_number quotient_of(std::uint64_t numerator, std::uint64_t denominator, int exponent) {
  const auto of_words = [](std::uint64_t value) {
    return times_power_of_two(wide_number::of(static_cast<std::int64_t>(value >> 32)), 32) +
           wide_number::of(static_cast<std::int64_t>(value & 0xffffffffu));
  };
  return of_256_bits(times_power_of_two(of_words(numerator) / of_words(denominator), exponent));
}

/// x y 2^exponent without factors of two.
struct odd_product {
  limbs<2> odd{};
  int exponent = 0;
  friend bool operator==(const odd_product&, const odd_product&) = default;
};

odd_product product_of(std::uint64_t x, std::uint64_t y, int exponent) {
  limbs<2> product = multiply(limbs_of<1>(x), limbs_of<1>(y));
  int zeros = 0;
  while (!bit_at(product, zeros)) ++zeros;
  return {shift_right(product, zeros), exponent + zeros};
}

/// Whether odd numbers, times a power of two, are a fraction from 1/2 to 1 of numbers of 64 bits: the
/// denominator, times powers of two, is the first one above the numerator.
bool is_in_reach(std::uint64_t numerator, std::uint64_t denominator) {
  const std::uint64_t common = std::gcd(numerator, denominator);
  const std::uint64_t above = numerator / common, below = denominator / common;
  const int more = std::countl_zero(below) - std::countl_zero(above);
  return std::countl_zero(above) > 0 || below << more > above;
}

TEST(NearFraction, IsFoundForFractionsOfEverySize) {
  std::mt19937_64 random(1);
  int found_ones = 0;
  for (int i = 0; i < 20'000; ++i) {
    const std::uint64_t numerator = (random() >> (random() % 63)) | 1,
                        denominator = (random() >> (random() % 63)) | 1;
    const int exponent = static_cast<int>(random() % 200) - 100;
    const auto fraction = fraction_near(quotient_of(numerator, denominator, exponent));
    ASSERT_EQ(fraction.has_value(), is_in_reach(numerator, denominator)) << numerator << " / " << denominator;
    if (!fraction) continue;
    ++found_ones;
    ASSERT_EQ(product_of(fraction->numerator, denominator, fraction->exponent),
              product_of(numerator, fraction->denominator, exponent));
  }
  EXPECT_GT(found_ones, 15'000);
}

TEST(NearFraction, IsATenthWhereTheBitsAreThoseOfATenth) {
  const auto fraction = fraction_near(quotient_of(1, 10, 0));
  ASSERT_TRUE(fraction);
  EXPECT_EQ(fraction->numerator, 4U);
  EXPECT_EQ(fraction->denominator, 5U);
  EXPECT_EQ(fraction->exponent, -3);
}

TEST(NearFraction, IsNoneForFrequenciesInRadians) {
  for (int base = 2; base < 2'000; ++base)
    EXPECT_FALSE(fraction_near(of_256_bits(wide_number::of(1) / wide_number::of(base) * inverse_two_pi<6>())))
        << base;
}

TEST(NearFraction, IsNoneWhereTheLastBitDiffers) {
  wide_number tenth = quotient_of(1, 10, 0);
  limbs<6> two_units{};
  two_units.word[2] = 2;
  add_to(tenth.midpoint.significand, two_units);
  EXPECT_FALSE(fraction_near(tenth));
}

}  // namespace
}  // namespace ropewalk
