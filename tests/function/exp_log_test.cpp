// Exponential and logarithm against MPFR: the result contains the function of every number in the argument's
// enclosure, and an exact argument loses only a few bits.

#include "ropewalk/function/exp_log.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "oracle/random_enclosure.hpp"

namespace ropewalk {
namespace {

using oracle::directed;
using oracle::mpfr_number;
using oracle::random_numbers;

constexpr int cases = 300;
// Bits of N limbs that the result for an exact argument may lose.
constexpr int log_spare_bits = 12;
constexpr int exp_spare_bits = 28;  // eight doublings, up to 8 bits for |x| < 2^8, one error per term

template <class Count>
class ExpLog : public testing::Test {};
TYPED_TEST_SUITE(ExpLog, oracle::limb_counts);

TYPED_TEST(ExpLog, ExpContainsTheTruth) {
  constexpr int n = TypeParam::value;
  random_numbers random(n);
  for (int i = 0; i < cases; ++i) {
    // The domain of exp has errors below 1/2: inexact arguments are below 1, with a relative error below 1/4.
    const enclosure<n> x = i % 2 != 0 ? random.exact<n>({-70, 20, true}) : random.inexact<n>({-70, 0, true});
    const mpfr_number member = random.member(x);
    const auto truth =
        directed(64 * n + 64, [&](mpfr_ptr result, mpfr_rnd_t d) { mpfr_exp(result, member, d); });
    EXPECT_TRUE(oracle::contains(exp(x), truth));
  }
}

TYPED_TEST(ExpLog, LogContainsTheTruth) {
  constexpr int n = TypeParam::value;
  random_numbers random(n);
  for (int i = 0; i < cases; ++i) {
    const enclosure<n> x =
        i % 2 != 0 ? random.exact<n>({-1100, 1100, false}) : random.inexact<n>({-3, 3, false});
    const mpfr_number member = random.member(x);
    const auto truth =
        directed(64 * n + 64, [&](mpfr_ptr result, mpfr_rnd_t d) { mpfr_log(result, member, d); });
    EXPECT_TRUE(oracle::contains(log(x), truth));
  }
}

TYPED_TEST(ExpLog, LogContainsTheTruthBesideOne) {
  constexpr int n = TypeParam::value;
  for (int k = 1; k <= 52; ++k)
    for (double x : {1 + std::ldexp(1.0, -k), 1 - std::ldexp(1.0, -k - 1)}) {
      const mpfr_number exact(53, x);
      const auto truth = directed(64 * n + 64, [&](mpfr_ptr ptr, mpfr_rnd_t d) { mpfr_log(ptr, exact, d); });
      const enclosure<n> result = log(enclosure<n>::of(x));
      EXPECT_TRUE(oracle::contains(result, truth));
      EXPECT_LE(oracle::relative_error_exponent(result), log_spare_bits - 64 * n) << x;
    }
}

TYPED_TEST(ExpLog, ExactArgumentsLoseFewBits) {
  constexpr int n = TypeParam::value;
  random_numbers random(n);
  for (int i = 0; i < cases; ++i) {
    const enclosure<n> x = random.exact<n>({-40, 8, true}), y = random.exact<n>({-1100, 1100, false});
    EXPECT_LE(oracle::relative_error_exponent(exp(x)), exp_spare_bits - 64 * n);
    EXPECT_LE(oracle::relative_error_exponent(log(y)), log_spare_bits - 64 * n);
  }
}

TYPED_TEST(ExpLog, NamedValues) {
  constexpr int n = TypeParam::value;
  EXPECT_EQ(compare(exp(enclosure<n>::of(0)), enclosure<n>::of(1)), order::equal);
  EXPECT_TRUE(oracle::contains(log(enclosure<n>::of(1)), {mpfr_number(2, 0.0), mpfr_number(2, 0.0)}));
  EXPECT_TRUE(is_unbounded(log(enclosure<n>::of(0))));
  EXPECT_TRUE(is_unbounded(log(enclosure<n>::of(-1))));
  EXPECT_TRUE(is_unbounded(exp(enclosure<n>::of(0x1p40))));
  EXPECT_TRUE(is_unbounded(exp(enclosure<n>::of(2977044472))));  // 2^32 ln 2, rounded up
  EXPECT_TRUE(is_unbounded(log(enclosure<n>::of(-3))));
  enclosure<n> vague = enclosure<n>::of(1);
  vague.error = radius_at_least(1, 0);
  EXPECT_TRUE(is_unbounded(exp(vague)));
}

}  // namespace
}  // namespace ropewalk
