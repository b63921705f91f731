// Intervals of changes, checked against a textbook example and to runs in which nothing changed.

#include "bench/log_change.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <random>
#include <vector>

namespace ropewalk::bench {
namespace {

// Student's data on sleep, and what R's t.test(extra ~ group) prints of them.
const std::vector<double> sleep_before = {0.7, -1.6, -0.2, -1.2, -0.1, 3.4, 3.7, 0.8, 0.0, 2.0};
const std::vector<double> sleep_after = {1.9, 0.8, 1.1, 0.1, -0.1, 4.4, 5.5, 1.6, 4.6, 3.4};
constexpr double printed_t = 1.8608, printed_freedom = 17.776;
constexpr double printed_low = -0.2054832, printed_high = 3.3654832;

/// Half a unit in the last of the decimals that a number was printed with.
double half_digit(int decimals) { return 0.5 * std::pow(10.0, -decimals); }

/// Intervals of rows with one change each, threshold 0.
std::vector<measure::estimate> intervals_of(const std::vector<log_change>& changes) {
  std::vector<row_changes> rows;
  for (const log_change& change : changes) rows.push_back({change});
  std::vector<measure::estimate> intervals;
  for (const auto& row : holm_intervals(rows, 0)) intervals.push_back(row.front());
  return intervals;
}

TEST(LogChange, WelchIsTheOneOfR) {
  const log_change change = change_between(sleep_before, sleep_after);
  EXPECT_NEAR(change.mean / change.error, printed_t, half_digit(4));
  EXPECT_NEAR(change.freedom, printed_freedom, half_digit(3));
}

TEST(LogChange, OneChangeHasTheIntervalOfR) {
  const measure::estimate interval = intervals_of({change_between(sleep_before, sleep_after)}).front();
  EXPECT_NEAR(std::log(interval.low), printed_low, half_digit(7));
  EXPECT_NEAR(std::log(interval.high), printed_high, half_digit(7));
}

TEST(LogChange, ClearChangesNarrowTheOthers) {
  const log_change clear{.mean = 1, .error = 0.01, .freedom = 8};
  const log_change unclear{.mean = 0, .error = 0.01, .freedom = 8};
  const double alone = intervals_of({unclear})[0].high;
  const double beside_clear = intervals_of({unclear, clear})[0].high;
  const double beside_unclear = intervals_of({unclear, unclear})[0].high;
  EXPECT_EQ(beside_clear, alone);
  EXPECT_GT(beside_unclear, alone);
}

TEST(LogChange, UnclearChangesShareALevel) {
  const log_change unclear{.mean = 0.01, .error = 0.01, .freedom = 8};
  const auto intervals = intervals_of({unclear, unclear, unclear});
  EXPECT_EQ(intervals[0].high, intervals[1].high);
  EXPECT_EQ(intervals[1].high, intervals[2].high);
}

TEST(LogChange, ClearestIsHeldToTheWholeFamily) {
  const log_change clear{.mean = 1, .error = 0.01, .freedom = 8};
  const log_change clearer{.mean = 2, .error = 0.01, .freedom = 8};
  const auto both = intervals_of({clear, clearer});
  const auto relative = [](const measure::estimate& estimate) { return estimate.high / estimate.median; };
  EXPECT_GT(relative(both[1]), relative(both[0]));
  EXPECT_EQ(both[0].high, intervals_of({clear})[0].high);
}

TEST(LogChange, EqualRepetitionsHaveNoWidth) {
  const std::vector<double> values = {1, 1, 1};
  const measure::estimate interval = intervals_of({change_between(values, values)}).front();
  EXPECT_EQ(interval.low, 1);
  EXPECT_EQ(interval.high, 1);
}

TEST(LogChange, ChangesOfARowMustAgree) {
  const log_change slower{.mean = 1, .error = 0.01, .freedom = 8};
  const log_change faster{.mean = -1, .error = 0.01, .freedom = 8};
  const log_change none{.mean = 0, .error = 0.01, .freedom = 8};
  const auto width_beside = [&](const row_changes& row) {
    return holm_intervals(std::vector{row_changes{none}, row}, 0)[0][0].high;
  };
  const double beside_clear = width_beside({slower, slower});
  EXPECT_EQ(beside_clear, width_beside({faster, faster}));
  EXPECT_LT(beside_clear, width_beside({slower, faster}));
  EXPECT_LT(beside_clear, width_beside({slower, none}));
  EXPECT_LT(beside_clear, width_beside({none, slower}));
}

/// Runs of many rows, with a spread within each repetition's logarithm.
class family_of_rows {
 public:
  /// Whether any of 40 rows is called changed, `shift` being the true logarithm of each change.
  bool alarms(std::size_t repetitions, double spread_after, double threshold, double shift) {
    std::vector<row_changes> rows;
    for (int row = 0; row < 40; ++row)
      rows.push_back({change_between(drawn(repetitions, 0, 1), drawn(repetitions, shift, spread_after))});
    const double most = std::log1p(threshold);
    for (const auto& intervals : holm_intervals(rows, threshold))
      if (std::log(intervals[0].low) > most || std::log(intervals[0].high) < -most) return true;
    return false;
  }

 private:
  std::vector<double> drawn(std::size_t repetitions, double mean, double spread) {
    constexpr double percent = 0.01;  // of a quiet machine
    std::normal_distribution<double> noise(mean, spread * percent);
    std::vector<double> values;
    for (std::size_t i = 0; i < repetitions; ++i) values.push_back(noise(dice_));
    return values;
  }

  std::mt19937_64 dice_{1};
};

TEST(LogChange, FamilyErrsAsRarelyAsSaid) {
  constexpr int families = 300;
  for (const std::size_t repetitions : {3U, 5U, 9U})
    for (const double threshold : {0.0, 0.05}) {
      family_of_rows rows;
      int alarms = 0;
      for (int i = 0; i < families; ++i)
        alarms += rows.alarms(repetitions, 1, threshold, std::log1p(threshold)) ? 1 : 0;
      EXPECT_LE(alarms, families * family_error) << repetitions << " repetitions, threshold " << threshold;
    }
}

TEST(LogChange, BusyMachineRaisesNoAlarmBelowTheThreshold) {
  constexpr int families = 300;
  constexpr double busy = 5;  // times the spread of the earlier run
  for (const std::size_t repetitions : {3U, 5U, 9U}) {
    family_of_rows rows;
    int alarms = 0;
    for (int i = 0; i < families; ++i) alarms += rows.alarms(repetitions, busy, 0.05, 0) ? 1 : 0;
    EXPECT_LE(alarms, families * family_error) << repetitions << " repetitions";
  }
}

TEST(LogChange, LargeChangesAreFoundWithFewRepetitions) {
  family_of_rows rows;
  for (const std::size_t repetitions : {3U, 5U})
    EXPECT_TRUE(rows.alarms(repetitions, 1, 0.05, std::log(1.5))) << repetitions << " repetitions";
}

}  // namespace
}  // namespace ropewalk::bench
