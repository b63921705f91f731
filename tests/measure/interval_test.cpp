// The median of measurements, the interval that holds it, and when a run is too noisy to say.

#include "measure/interval.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <random>
#include <vector>

namespace {

using namespace ropewalk;

using measure::estimate;
using repetitions = std::vector<std::vector<double>>;

/// Measurements of 1, with noise that all rounds of a repetition share and noise of each round.
repetitions noisy(std::mt19937_64& dice, int count, int rounds, double shared, double own) {
  std::normal_distribution<double> normal;
  repetitions noisy;
  for (int i = 0; i < count; ++i) {
    const double centre = 1 + shared * normal(dice);
    noisy.emplace_back();
    for (int round = 0; round < rounds; ++round) noisy.back().push_back(centre + own * normal(dice));
  }
  return noisy;
}

TEST(Interval, OfEqualValuesIsTheValue) {
  const estimate estimate = measure::estimate_of({{2, 2, 2}, {2, 2}});
  EXPECT_EQ(estimate.median, 2);
  EXPECT_EQ(estimate.low, 2);
  EXPECT_EQ(estimate.high, 2);
}

TEST(Interval, HoldsTheMedianOfAllRounds) {
  const estimate estimate = measure::estimate_of({{1, 2, 3}, {4, 5, 6, 7}});
  EXPECT_EQ(estimate.median, 4);
  EXPECT_LE(estimate.low, estimate.median);
  EXPECT_GE(estimate.high, estimate.median);
  EXPECT_GE(estimate.low, 1);
  EXPECT_LE(estimate.high, 7);
}

TEST(Interval, OfNoRoundsIsNotMeasured) {
  EXPECT_TRUE(std::isnan(measure::estimate_of({}).median));
  EXPECT_TRUE(std::isnan(measure::estimate_of({{}, {}}).high));
}

TEST(Interval, IsTheSameEachTime) {
  std::mt19937_64 dice(3);
  const repetitions values = noisy(dice, 5, 9, 0.1, 0.1);
  EXPECT_EQ(measure::estimate_of(values).low, measure::estimate_of(values).low);
  EXPECT_EQ(measure::estimate_of(values).high, measure::estimate_of(values).high);
}

// Of 17 rounds 1 to 17, a resample's median is at most k where at least 9 of 17 draws are: a binomial. It is
// at most 4 in 0.8 % and at most 5 in 3.6 % of resamples: the lower end of 95 % is 5, and of 90 % it were 6.
TEST(Interval, HasTailsOfTwoAndAHalfPercent) {
  repetitions joined(1);
  for (int i = 1; i <= 17; ++i) joined[0].push_back(i);
  EXPECT_EQ(measure::estimate_of(joined).low, 5);
  EXPECT_EQ(measure::estimate_of(joined).high, 13);
}

/// How many of 100 intervals hold the true median.
int holding(int count, int rounds, double shared, double own) {
  std::mt19937_64 dice(7);
  int holding = 0;
  for (int i = 0; i < 100; ++i) {
    const estimate estimate = measure::estimate_of(noisy(dice, count, rounds, shared, own));
    holding += estimate.low <= 1 && 1 <= estimate.high ? 1 : 0;
  }
  return holding;
}

TEST(Interval, HoldsTheTrueMedianInMostRuns) { EXPECT_GE(holding(5, 9, 0, 0.05), 92); }

// Five repetitions show little of how repetitions vary: the interval is then narrower than it says, but far
// wider than one that takes rounds for independent.
TEST(Interval, IsWideWhereRepetitionsDiffer) {
  EXPECT_GE(holding(5, 9, 0.05, 0.01), 80);
  std::mt19937_64 dice(7);
  const repetitions values = noisy(dice, 5, 9, 0.05, 0.01);
  repetitions joined(1);
  for (const auto& rounds : values) joined[0].insert(joined[0].end(), rounds.begin(), rounds.end());
  const estimate estimate = measure::estimate_of(values), flat = measure::estimate_of(joined);
  EXPECT_GT(estimate.high - estimate.low, 1.5 * (flat.high - flat.low));
}

TEST(Noise, IsAnIntervalThatReachesFartherThanTheChangeLookedFor) {
  EXPECT_EQ(measure::noise_of({1, 0.96, 1.04}, 0.05), "");
  EXPECT_NE(measure::noise_of({1, 0.96, 1.06}, 0.05), "");
  EXPECT_NE(measure::noise_of({1, 0.94, 1.01}, 0.05), "");
  EXPECT_NE(measure::noise_of({2, 1.96, 2.16}, 0.05), "");
  EXPECT_EQ(measure::noise_of({}, 0.05), "");
}

TEST(Noise, SaysHowFarTheIntervalReaches) {
  EXPECT_EQ(
      measure::noise_of({1, 0.875, 1.0625}, 0.05),
      "too noisy to say: the interval reaches 13 % from the median, so that a change of 5 % would not show");
}

TEST(Row, HasTheRatioOfItsOwnRounds) {
  measure::bench_row row{};
  row.repetitions = {{{2, 1}, {30, 10}}, {{4, 1}}};
  measure::estimate_row(row);
  EXPECT_EQ(row.seconds.median, 4);
  EXPECT_EQ(row.ratio.median, 3);
}

TEST(Row, HasNoRatioWhereNothingElseWasTimed) {
  measure::bench_row row{};
  row.repetitions = {{{2, 0}, {3, 0}, {2, 0}}};
  measure::estimate_row(row);
  EXPECT_EQ(row.seconds.median, 2);
  EXPECT_TRUE(std::isnan(row.ratio.median));
}

}  // namespace
