// Arithmetic of enclosures against MPFR: the result contains that of any two numbers of the operands.

#include "ropewalk/numeric/enclosure.hpp"

#include <gtest/gtest.h>

#include <iterator>

#include "oracle/random_enclosure.hpp"

namespace ropewalk {
namespace {

using oracle::directed;
using oracle::mpfr_number;
using oracle::number_range;
using oracle::random_numbers;

constexpr int cases = 1500;
constexpr int spare_bits = 4;

template <class Count>
class Enclosure : public testing::Test {};
TYPED_TEST_SUITE(Enclosure, oracle::limb_counts);

template <int N, class Operation, class Truth>
void expect_holds(random_numbers& random, const Operation& operation, const Truth& truth) {
  // Close exponents cause cancellation; distant ones make the smaller operand vanish in the truncation.
  const number_range close{-2, 2, true}, far{-80 * N, 80 * N, true};
  for (int i = 0; i < cases; ++i) {
    const number_range& range = i % 3 == 0 ? far : close;
    const auto draw = [&] {
      return random.below(2) != 0 ? random.exact<N>(range) : random.inexact<N>(range);
    };
    const enclosure<N> x = draw(), y = i % 7 == 0 ? x : draw();
    const mpfr_number a = random.member(x), b = random.member(y);
    const auto expected =
        directed(64 * N + 64, [&](mpfr_ptr result, mpfr_rnd_t d) { truth(result, a, b, d); });
    ASSERT_TRUE(oracle::contains(operation(x, y), expected));
  }
}

TYPED_TEST(Enclosure, SumHoldsTheTruth) {
  random_numbers random(1);
  expect_holds<TypeParam::value>(
      random, [](const auto& x, const auto& y) { return x + y; }, mpfr_add);
}

TYPED_TEST(Enclosure, DifferenceHoldsTheTruth) {
  random_numbers random(2);
  expect_holds<TypeParam::value>(
      random, [](const auto& x, const auto& y) { return x - y; }, mpfr_sub);
}

TYPED_TEST(Enclosure, ProductHoldsTheTruth) {
  random_numbers random(3);
  expect_holds<TypeParam::value>(
      random, [](const auto& x, const auto& y) { return x * y; }, mpfr_mul);
}

TYPED_TEST(Enclosure, QuotientHoldsTheTruth) {
  random_numbers random(4);
  expect_holds<TypeParam::value>(
      random, [](const auto& x, const auto& y) { return x / y; }, mpfr_div);
}

TYPED_TEST(Enclosure, ExactOperandsLoseFewBits) {
  constexpr int n = TypeParam::value;
  random_numbers random(5);
  for (int i = 0; i < cases; ++i) {
    const enclosure<n> x = random.exact<n>({-3, 3, false}), y = random.exact<n>({-3, 3, false});
    for (const enclosure<n>& bounds : {x + y, x * y, x / y, square_root(x)})
      if (!is_exact(bounds)) {
        ASSERT_LE(oracle::relative_error_exponent(bounds), spare_bits - 64 * n);
      }
  }
}

TYPED_TEST(Enclosure, ComparisonsAreNeverWrong) {
  constexpr int n = TypeParam::value;
  random_numbers random(6);
  int decided = 0;
  for (int i = 0; i < cases; ++i) {
    const enclosure<n> x = random.inexact<n>({-1, 1, true}), y = random.inexact<n>({-1, 1, true});
    const order result = compare(x, y);
    const int truth = mpfr_cmp(random.member(x), random.member(y));
    if (result == order::less) {
      EXPECT_LT(truth, 0);
    } else if (result == order::greater) {
      EXPECT_GT(truth, 0);
    } else {
      EXPECT_NE(result, order::equal);
    }
    decided += result != order::undecided;
  }
  EXPECT_GT(decided, cases / 2);
}

TYPED_TEST(Enclosure, ExactDifferencesOfNeighboursAreSeen) {
  constexpr int n = TypeParam::value;
  const enclosure<n> bounds = enclosure<n>::of(1), step = times_power_of_two(bounds, 1 - 64 * n);
  EXPECT_EQ(compare(bounds + step, bounds), order::greater);
  EXPECT_EQ(compare(bounds, bounds + step), order::less);
  EXPECT_EQ(compare(bounds + step - step, bounds), order::equal);
}

TYPED_TEST(Enclosure, DividingByWhatMayBeZeroIsUnbounded) {
  constexpr int n = TypeParam::value;
  enclosure<n> y = enclosure<n>::of(1);
  y.error = {std::uint32_t{1} << 31, -31};  // exactly 1
  EXPECT_TRUE(is_unbounded(enclosure<n>::of(1) / y));
  EXPECT_TRUE(is_unbounded(enclosure<n>::of(1) / enclosure<n>::of(0)));
  EXPECT_TRUE(is_unbounded(square_root(enclosure<n>::of(-1))));
}

TYPED_TEST(Enclosure, ATermTooSmallToBeKeptLeavesAnError) {
  constexpr int n = TypeParam::value;
  const enclosure<n> bounds = enclosure<n>::of(1);
  EXPECT_FALSE(is_exact(bounds + times_power_of_two(bounds, -10000)));
  // Its top bit lies among those of 1, and its last one below the bits that an addition computes with.
  enclosure<n> split = times_power_of_two(bounds, -100);
  split.midpoint.significand.word[0] = 1;
  EXPECT_FALSE(is_exact(bounds + split));
}

TYPED_TEST(Enclosure, DyadicsAreOrderedBySignAndSize) {
  constexpr int n = TypeParam::value;
  const double ascending[] = {-3, -2.5, -0x1p-80, 0, 0x1p-80, 2.5, 3};
  for (std::size_t i = 0; i < std::size(ascending); ++i)
    for (std::size_t j = 0; j < std::size(ascending); ++j)
      EXPECT_EQ(compare(exact_dyadic_of_bits<n, double>(to_bits(ascending[i])),
                        exact_dyadic_of_bits<n, double>(to_bits(ascending[j]))),
                i < j ? -1 : (i == j ? 0 : 1));
  EXPECT_FALSE(negate(dyadic<n>{}).negative);
}

}  // namespace
}  // namespace ropewalk
