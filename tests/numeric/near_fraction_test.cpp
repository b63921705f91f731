#include "ropewalk/numeric/near_fraction.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <numeric>
#include <random>

#include "ropewalk/function/constants.hpp"

namespace ropewalk {
namespace {

using wide_number = enclosure<6>;

/// A number cut to 256 bits, to nearest.
wide_number of_256_bits(const wide_number& x) {
  wide_number r = x;
  const bool up = (r.midpoint.significand.word[1] >> 63) != 0;
  r.midpoint.significand.word[0] = r.midpoint.significand.word[1] = 0;
  limbs<6> unit{};
  unit.word[2] = 1;
  if (up) add_to(r.midpoint.significand, unit);
  return r;
}

wide_number quotient_of(std::uint64_t numerator, std::uint64_t denominator, int exponent) {
  const auto of_words = [](std::uint64_t value) {
    return times_power_of_two(wide_number::of(static_cast<std::int64_t>(value >> 32)), 32) +
           wide_number::of(static_cast<std::int64_t>(value & 0xffffffffu));
  };
  return of_256_bits(times_power_of_two(of_words(numerator) / of_words(denominator), exponent));
}

/// Whether a fraction and a power of two are numerator / denominator x 2^exponent.
bool is_that(const near_fraction& found, std::uint64_t numerator, std::uint64_t denominator, int exponent) {
  const auto value = [](std::uint64_t above, std::uint64_t below) {
    return std::ldexp(static_cast<long double>(above) / static_cast<long double>(below), 0);
  };
  return std::abs(std::ldexp(value(found.numerator, found.denominator), found.exponent) /
                      std::ldexp(value(numerator, denominator), exponent) -
                  1) < 1e-17L;
}

TEST(NearFraction, IsFoundForFractionsOfEverySize) {
  std::mt19937_64 random(1);
  for (int i = 0; i < 20'000; ++i) {
    const std::uint64_t numerator = (random() >> (random() % 63)) | 1,
                        denominator = (random() >> (1 + random() % 62)) | 1;
    const int exponent = static_cast<int>(random() % 200) - 100;
    if (numerator == 0 || denominator == 0) continue;
    const auto found = fraction_near(quotient_of(numerator, denominator, exponent));
    // The number is scaled into 1/2 to 1, whose fraction may need more bits than 64.
    const std::uint64_t common = std::gcd(numerator, denominator);
    const int above = 64 - __builtin_clzll(numerator / common),
              below = 64 - __builtin_clzll(denominator / common);
    if (std::max(above, below) + std::abs(above - below) < 62) {
      ASSERT_TRUE(found) << numerator << " / " << denominator << " 2^" << exponent;
    }
    if (found) {
      ASSERT_TRUE(is_that(*found, numerator, denominator, exponent));
    }
  }
}

TEST(NearFraction, IsATenthWhereTheBitsAreThoseOfATenth) {
  const auto found = fraction_near(quotient_of(1, 10, 0));
  ASSERT_TRUE(found);
  EXPECT_EQ(found->numerator, 4U);
  EXPECT_EQ(found->denominator, 5U);
  EXPECT_EQ(found->exponent, -3);
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
