// The oracle's rounding against MPFR's conversions and mpfr_subnormalize, neither of which it uses.

#include "oracle/rounding.hpp"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <random>

#include "oracle/mpfr_number.hpp"

namespace ropewalk::oracle {
namespace {

/// MPFR's own rounding: to the precision and exponent range of the format, then mpfr_subnormalize.
template <class Float>
double by_subnormalize(mpfr_srcptr x) {
  using traits = format<Float>;
  const mpfr_exp_t smallest = mpfr_get_emin(), largest = mpfr_get_emax();
  mpfr_number rounded(traits::precision);
  mpfr_set_emin(traits::smallest_ulp_exponent + 1);  // MPFR's significands lie in [1/2, 1)
  mpfr_set_emax(traits::largest_exponent + 1);
  int direction = mpfr_set(rounded, x, MPFR_RNDN);
  direction = mpfr_check_range(rounded, direction, MPFR_RNDN);
  mpfr_subnormalize(rounded, direction, MPFR_RNDN);
  mpfr_set_emin(smallest);
  mpfr_set_emax(largest);
  return mpfr_get_d(rounded, MPFR_RNDN);
}

template <class Float>
double value_of(bits_of<Float> bits) {
  if (is_infinite<Float>(bits)) return is_negative<Float>(bits) ? -HUGE_VAL : HUGE_VAL;
  const decoded parts = decode<Float>(bits);
  const double size = std::ldexp(static_cast<double>(parts.significand), parts.exponent);
  return parts.negative ? -size : size;
}

/// A number at a boundary of the format, or next to it: a representable number or a rounding midpoint, plus
/// -1, 0 or 1 times 2^-101 ulp.
template <class Float>
mpfr_number near_boundary(std::mt19937_64& random) {
  const auto bits = static_cast<bits_of<Float>>(random() % format<Float>::infinity);
  mpfr_number x(200, value_of<Float>(bits));
  mpfr_number step(64);
  mpfr_set_ui_2exp(step, 1, decode<Float>(bits).exponent - 1, MPFR_RNDN);
  if (random() % 2 != 0) mpfr_add(x, x, step, MPFR_RNDN);
  mpfr_div_2ui(step, step, 100, MPFR_RNDN);
  mpfr_mul_si(step, step, static_cast<long>(random() % 3) - 1, MPFR_RNDN);
  mpfr_add(x, x, step, MPFR_RNDN);
  if (random() % 2 != 0) mpfr_neg(x, x, MPFR_RNDN);
  return x;
}

template <class Float>
class Rounding : public testing::Test {};
using formats = testing::Types<double, float, binary16, bfloat16>;
TYPED_TEST_SUITE(Rounding, formats);

TYPED_TEST(Rounding, AgreesWithMpfrSubnormalizeAroundBoundaries) {
  std::mt19937_64 random(1);
  for (int i = 0; i < 20000; ++i) {
    const mpfr_number x = near_boundary<TypeParam>(random);
    const double expected = by_subnormalize<TypeParam>(x);
    const double rounded = value_of<TypeParam>(round_to<TypeParam>(static_cast<mpfr_srcptr>(x)));
    ASSERT_EQ(std::bit_cast<std::uint64_t>(rounded), std::bit_cast<std::uint64_t>(expected))
        << rounded << " " << expected;
  }
}

TYPED_TEST(Rounding, SubnormalsAreRoundedOnce) {
  using traits = format<TypeParam>;
  // 1.5 times the smallest subnormal, less 2^-60 of it. Rounding it first to the format's precision would
  // make it a tie.
  mpfr_number x(128);
  mpfr_set_ui_2exp(x, 3, traits::smallest_ulp_exponent - 1, MPFR_RNDN);
  mpfr_number little(64);
  mpfr_set_ui_2exp(little, 1, traits::smallest_ulp_exponent - 60, MPFR_RNDN);
  mpfr_sub(x, x, little, MPFR_RNDN);
  EXPECT_EQ(round_to<TypeParam>(static_cast<mpfr_srcptr>(x)), 1u);
}

TYPED_TEST(Rounding, HalfTheSmallestSubnormalIsZero) {
  mpfr_number x(128);
  mpfr_set_ui_2exp(x, 1, format<TypeParam>::smallest_ulp_exponent - 1, MPFR_RNDN);
  EXPECT_EQ(round_to<TypeParam>(static_cast<mpfr_srcptr>(x)), 0u);
  mpfr_nextabove(x);
  EXPECT_EQ(round_to<TypeParam>(static_cast<mpfr_srcptr>(x)), 1u);
}

TYPED_TEST(Rounding, HalfAnUlpAboveTheLargestIsInfinite) {
  using traits = format<TypeParam>;
  mpfr_number x(128);
  mpfr_set_ui_2exp(x, (std::uint64_t{1} << (traits::precision + 1)) - 1,
                   traits::largest_exponent - traits::precision, MPFR_RNDN);
  EXPECT_EQ(round_to<TypeParam>(static_cast<mpfr_srcptr>(x)), traits::infinity);
  mpfr_nextbelow(x);
  EXPECT_EQ(round_to<TypeParam>(static_cast<mpfr_srcptr>(x)), traits::infinity - 1);
}

TEST(Rounding, AgreesWithMpfrConversions) {
  std::mt19937_64 random(2);
  for (int i = 0; i < 50000; ++i) {
    mpfr_number x(160);
    mpfr_set_ui_2exp(x, random() | 1, static_cast<mpfr_exp_t>(random() % 2300) - 1200, MPFR_RNDN);
    mpfr_sqr(x, x, MPFR_RNDN);
    mpfr_sqrt(x, x, MPFR_RNDN);
    EXPECT_EQ(round_to<double>(static_cast<mpfr_srcptr>(x)), to_bits(mpfr_get_d(x, MPFR_RNDN)));
    EXPECT_EQ(round_to<float>(static_cast<mpfr_srcptr>(x)), to_bits(mpfr_get_flt(x, MPFR_RNDN)));
  }
}

TEST(Rounding, BracketAcrossABoundaryIsUndecided) {
  bracket x{mpfr_number(128, 1 + 0x1p-24), mpfr_number(128, 1 + 0x1p-24)};
  EXPECT_EQ(round_to<float>(x), to_bits(1.0f));
  mpfr_nextabove(x.high);
  EXPECT_EQ(round_to<float>(x), std::nullopt);
}

}  // namespace
}  // namespace ropewalk::oracle
