#include "ropewalk/numeric/rational.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <boost/multiprecision/cpp_int.hpp>

#include "numeric/boost_number.hpp"

namespace ropewalk {
namespace {

using boost::multiprecision::cpp_int;
using boost::multiprecision::cpp_rational;

template <int N>
cpp_rational to_boost(const rational<N>& x) {
  const cpp_rational size(to_boost(x.numerator), to_boost(x.denominator));
  return x.negative ? cpp_rational(-size) : size;
}

rational<4> any_rational() {
  const auto numerator = *rc::gen::arbitrary<std::int32_t>();
  const auto denominator = *rc::gen::nonZero<std::int32_t>();
  return rational<4>::of(static_cast<std::int64_t>(numerator)) /
         rational<4>::of(static_cast<std::int64_t>(denominator));
}

RC_GTEST_PROP(Rational, FourOperationsAreThoseOfBoost, ()) {
  const auto a = any_rational(), b = any_rational();
  RC_ASSERT(to_boost(a + b) == to_boost(a) + to_boost(b));
  RC_ASSERT(to_boost(a - b) == to_boost(a) - to_boost(b));
  RC_ASSERT(to_boost(a * b) == to_boost(a) * to_boost(b));
  if (!is_zero(b.numerator)) RC_ASSERT(to_boost(a / b) == to_boost(a) / to_boost(b));
  RC_ASSERT(compare(a, b) == to_boost(a).compare(to_boost(b)));
}

/// The hardware's binary64 division of two 32-bit integers is their ratio, correctly rounded.
RC_GTEST_PROP(Rational, RoundsLikeOneDivision, ()) {
  const auto a = *rc::gen::arbitrary<std::int32_t>();
  const auto b = *rc::gen::nonZero<std::int32_t>();
  const auto x =
      rational<2>::of(static_cast<std::int64_t>(a)) / rational<2>::of(static_cast<std::int64_t>(b));
  RC_ASSERT(from_bits<double>(round<double>(x)) == static_cast<double>(a) / static_cast<double>(b));
}

TEST(Rational, EveryFiniteBinary64ComesBack) {
  for (const double value : {0.1, -1.5, 0x1p-300, -0x1.fffffffffffffp200, 0x1p-1022, 0x1p-1074})
    EXPECT_EQ(from_bits<double>(round<double>(rational<20>::of(value))), value);
}

TEST(Rational, TiesGoToEven) {
  const auto tie = rational<2>::of(1) + rational<2>::of(0x1p-24);
  EXPECT_EQ(round<float>(tie), to_bits(1.0f));
  EXPECT_EQ(round<float>(tie + rational<2>::of(0x1p-100)), to_bits(1.0f) + 1);
}

TEST(Rational, WhatDoesNotFitIsRefused) {
  EXPECT_THROW(rational<1>::of(0x1p64), std::overflow_error);
  const auto large = rational<1>::of(0x1p62);
  EXPECT_THROW(large * large, std::overflow_error);
  EXPECT_THROW(large / rational<1>::of(0), std::domain_error);
  const auto small = rational<1>::of(0x1p-62);
  EXPECT_THROW(small * small, std::overflow_error);
  EXPECT_THROW(rational<1>::of(0x1p-64), std::overflow_error);
  EXPECT_EQ(rational<1>::of(0x1p-63).denominator, limbs_of<1>(std::uint64_t{1} << 63));
}

TEST(Rational, ZeroHasNoSign) {
  EXPECT_EQ(-rational<2>::of(0), rational<2>::of(0));
  EXPECT_EQ(rational<2>::of(-3) + rational<2>::of(3), rational<2>::of(0));
}

}  // namespace
}  // namespace ropewalk
