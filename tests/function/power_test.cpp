// Powers and roots against MPFR.

#include "ropewalk/function/power.hpp"

#include <gtest/gtest.h>

#include "oracle/random_enclosure.hpp"

namespace ropewalk {
namespace {

using oracle::directed;
using oracle::mpfr_number;
using oracle::random_numbers;

constexpr int power_cases = 120;
constexpr int power_spare_bits = 28;  // bits that log and exp together may lose

template <class Count>
class Power : public testing::Test {};
TYPED_TEST_SUITE(Power, oracle::limb_counts);

/// x^(numerator / denominator) rounded down and up.
template <int N>
oracle::bracket power_of(const mpfr_number& x, std::uint32_t numerator, std::uint32_t denominator) {
  return directed(64 * N + 64, [&](mpfr_ptr result, mpfr_rnd_t direction) {
    mpfr_number whole(64 * N + 128);
    mpfr_pow_ui(whole, x, numerator, direction);
    mpfr_rootn_ui(result, whole, denominator, direction);
  });
}

TYPED_TEST(Power, FractionalExponentsContainTheTruth) {
  constexpr int n = TypeParam::value;
  random_numbers random(n);
  for (int i = 0; i < power_cases; ++i) {
    const enclosure<n> x = i % 2 != 0 ? random.exact<n>({-30, 60, false}) : random.inexact<n>({1, 20, false});
    const auto denominator = static_cast<std::uint32_t>(1 + random.below(300));
    const auto numerator = static_cast<std::uint32_t>(random.below(denominator + 1));
    const enclosure<n> result = power(x, numerator, denominator);
    EXPECT_TRUE(oracle::contains(result, power_of<n>(random.member(x), numerator, denominator)))
        << numerator << "/" << denominator;
    if (is_exact(x) && !is_exact(result)) {
      EXPECT_LE(oracle::relative_error_exponent(result), power_spare_bits - 64 * n);
    }
  }
}

TYPED_TEST(Power, WholeExponentsContainTheTruth) {
  constexpr int n = TypeParam::value;
  random_numbers random(n);
  for (int i = 0; i < power_cases; ++i) {
    const enclosure<n> x = random.inexact<n>({-4, 4, true});
    const mpfr_number member = random.member(x);
    const auto exponent = static_cast<std::uint32_t>(random.below(40));
    const auto truth = directed(
        64 * n + 64, [&](mpfr_ptr result, mpfr_rnd_t d) { mpfr_pow_ui(result, member, exponent, d); });
    EXPECT_TRUE(oracle::contains(power(x, exponent), truth)) << exponent;
  }
}

TYPED_TEST(Power, RootsContainTheTruth) {
  constexpr int n = TypeParam::value;
  random_numbers random(n);
  for (int i = 0; i < power_cases; ++i) {
    const enclosure<n> x =
        i % 2 != 0 ? random.exact<n>({-100, 1000, false}) : random.inexact<n>({-9, 9, false});
    const auto degree = static_cast<std::uint32_t>(1 + random.below(128));
    const mpfr_number member = random.member(x);
    const auto truth = directed(
        64 * n + 64, [&](mpfr_ptr result, mpfr_rnd_t d) { mpfr_rootn_ui(result, member, degree, d); });
    EXPECT_TRUE(oracle::contains(root(x, degree), truth)) << degree;
    const auto half =
        directed(64 * n + 64, [&](mpfr_ptr result, mpfr_rnd_t d) { mpfr_sqrt(result, member, d); });
    EXPECT_TRUE(oracle::contains(square_root(x), half));
  }
}

TYPED_TEST(Power, PerfectPowersAreExact) {
  constexpr int n = TypeParam::value;
  // Exact as long as N limbs hold the powers that decide it, such as 100^2 and 10000^1.
  const enclosure<n> hundred = power(enclosure<n>::of(10000), 1, 2);
  EXPECT_EQ(compare(hundred, enclosure<n>::of(100)), order::equal);
  EXPECT_EQ(compare(power(enclosure<n>::of(65536), 3, 16), enclosure<n>::of(8)), order::equal);
  EXPECT_EQ(compare(square_root(enclosure<n>::of(2.25)), enclosure<n>::of(1.5)), order::equal);
  EXPECT_FALSE(is_exact(power(enclosure<n>::of(10000), 1, 64)));
  // So near to 10000 that its root cannot be told from 100.
  const enclosure<n> beside = enclosure<n>::of(10000) + times_power_of_two(enclosure<n>::of(1), 14 - 64 * n);
  EXPECT_TRUE(is_exact(beside));
  EXPECT_FALSE(is_exact(power(beside, 1, 2)));
  EXPECT_FALSE(is_exact(square_root(enclosure<n>::of(2))));
}

}  // namespace
}  // namespace ropewalk
