#include <gtest/gtest.h>

#include <limits>

#include "ropewalk/law/judge/bound.hpp"
#include "ropewalk/law/judge/judge_pairs.hpp"
#include "ropewalk/law/judge/measurement.hpp"

namespace ropewalk::judge_test {
namespace {

template <class Error, class Bound>
verdict judged(Error error, Bound bound) {
  return judge(1, [&]<int N>() -> error_and_bound<N> {
    return {enclosure<N>::of(error), enclosure<N>::of(bound)};
  });
}

TEST(Judge, HoldsWhereErrorEqualsBound) {
  const verdict v = judged(0x1.8p-24, 0x1.8p-24);
  EXPECT_TRUE(v.holds);
  EXPECT_EQ(v.ratio, 1);
}

TEST(Judge, FailsOneUnitAboveTheBound) {
  EXPECT_FALSE(judged(0x1.8000000000001p-24, 0x1.8p-24).holds);
  EXPECT_FALSE(judged(-0x1.8000000000001p-24, 0x1.8p-24).holds);
}

TEST(Judge, HoldsOneUnitBelowTheBound) { EXPECT_TRUE(judged(-0x1.7ffffffffffffp-24, 0x1.8p-24).holds); }

TEST(Judge, DecidesBySizesFarBelowTwoLimbs) {
  // 1 + 2^-200 and 1 - 2^-200 against 1: 128 bits distinguish neither from 1.
  const auto near_one = [](int sign) {
    return judge(1, [=]<int N>() -> error_and_bound<N> {
      const enclosure<N> bounds = enclosure<N>::of(1);
      return {bounds + times_power_of_two(enclosure<N>::of(sign), -200), bounds};
    });
  };
  EXPECT_FALSE(near_one(1).holds);
  EXPECT_TRUE(near_one(-1).holds);
}

TEST(Judge, RatioIsAnUpperBound) {
  const verdict v = judge(1, []<int N>() -> error_and_bound<N> {
    return {enclosure<N>::of(1), enclosure<N>::of(3)};
  });
  EXPECT_GE(v.ratio, 1.0 / 3);
  EXPECT_LT(v.ratio, 1.0 / 3 * (1 + 0x1p-29));
}

TEST(Judge, SquaresGiveTheRatioOfTheirRoots) {
  const verdict v = judge_squares(1, []<int N>() -> error_and_bound<N> {
    return {enclosure<N>::of(1), enclosure<N>::of(16)};
  });
  EXPECT_GE(v.ratio, 0.25);
  EXPECT_LT(v.ratio, 0.25 * (1 + 0x1p-29));
}

TEST(Judge, NoErrorHoldsWithoutABound) { EXPECT_TRUE(judged(0, 0).holds); }

TEST(Judge, AnyErrorFailsWithoutABound) {
  const verdict v = judged(0x1p-1074, 0);
  EXPECT_FALSE(v.holds);
  EXPECT_EQ(v.ratio, std::numeric_limits<double>::infinity());
}

TEST(Judge, SaysThatItCannotDecide) {
  const auto hazy = [] {
    return judge(1, []<int N>() -> error_and_bound<N> {
      const enclosure<N> bounds = enclosure<N>::of(1);
      return {{bounds.midpoint, radius_at_least(1, -10)}, bounds};
    });
  };
  EXPECT_THROW(hazy(), undecided);
}

/// The relative error of a pair (got, 0), where (want, 0) is exact and the bound grows with the position.
double error_of(float got, float want) {
  const bits_pair<float> answer{to_bits(got), 0}, exactly{to_bits(want), 0};
  constexpr pair_bound far{.relative = 0.04, .absolute = 0x1p-149};
  measurement measured;
  judge_pair<float>(measured, {}, answer, answer, far, [&]<int N>() -> exact_output<N> {
    const exact_pair<N> value = exact<N, float>(exactly);
    return {value, squared_norm(value)};
  });
  EXPECT_TRUE(measured.holds);
  return measured.error;
}

TEST(Judge, AnErrorBesideAnUnderflowIsNotOneOfTheAngle) {
  constexpr double error = 1.01F - 1.0;
  EXPECT_NEAR(error_of(1.01F, 1), error, error * unit_roundoff<float>);
  EXPECT_NEAR(error_of(1.01F * 0x1p-120F, 0x1p-120F), error, error * unit_roundoff<float>);
  EXPECT_EQ(error_of(0x1p-149F, 0x1p-148F), 0);
  EXPECT_EQ(error_of(0, 0), 0);
}

TEST(Measurement, ShowsAFailureBeforeEverythingThatHolds) {
  measurement measured;
  const auto show = [] { return evidence{}; };
  record(measured, {0.9, true, 1}, place{.token = 1}, show);
  record(measured, {0.5, false, 1}, place{.token = 2}, show);
  record(measured, {0.95, true, 1}, place{.token = 3}, show);
  EXPECT_FALSE(measured.holds);
  EXPECT_EQ(measured.where.token, 2);
  EXPECT_EQ(measured.compared, 3);
}

TEST(Measurement, MergeKeepsTheWorst) {
  measurement a, b;
  const auto show = [] { return evidence{}; };
  record(a, {0.25, true, 1}, place{.token = 1}, show);
  record(b, {0.75, true, 1}, place{.token = 2}, show);
  merge(a, b);
  EXPECT_EQ(a.worst, 0.75);
  EXPECT_EQ(a.where.token, 2);
  EXPECT_EQ(a.compared, 2);
}

TEST(Measurement, AMergedFailureStays) {
  measurement a, b;
  const auto show = [] { return evidence{}; };
  record(a, {0.9, true, 1}, place{.token = 1}, show);
  record(b, {0.5, false, 1}, place{.token = 2}, show);
  merge(a, b);
  EXPECT_FALSE(a.holds);
  EXPECT_EQ(a.where.token, 2);
  measurement c;
  record(c, {2, true, 1}, place{.token = 3}, show);
  merge(a, c);
  EXPECT_FALSE(a.holds);
}

TEST(Measurement, CountsApartWhatDecidesNothingAndHolds) {
  measurement measured;
  const auto show = [] { return evidence{}; };
  record(measured, unless_trivial({0.4, true, 1}, trivial_bound), place{}, show);
  EXPECT_EQ(measured.vacuous, 1);
  EXPECT_EQ(measured.compared, 0);
  record(measured, unless_trivial({0.4, true, 0.99}, trivial_bound), place{}, show);
  EXPECT_EQ(measured.compared, 1);
  // Worse than a kernel that knows nothing.
  record(measured, unless_trivial({1.5, false, 1.2}, trivial_bound), place{}, show);
  EXPECT_FALSE(measured.holds);
  EXPECT_EQ(measured.compared, 2);
}

}  // namespace
}  // namespace ropewalk::judge_test
