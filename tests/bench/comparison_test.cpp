// Two runs made in code: what a comparison finds, and how it says so.

#include "bench/comparison.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <sstream>
#include <string>
#include <vector>

#include "bench/comparison_text.hpp"
#include "input/bad_input.hpp"

namespace ropewalk::bench {
namespace {

using measure::bench_record;
using measure::bench_row;

constexpr double memcpy_seconds = 1e-4;

/// A row with one round for each ratio, each in a repetition of its own.
bench_row row_with(const std::string& name, const std::vector<double>& ratios, double slowness = 1) {
  bench_row row{};
  row.name = name;
  row.model = "base 10000";
  row.heads = 32;
  row.bytes = 4096;
  row.other = "memcpy";
  for (const double ratio : ratios)
    row.repetitions.push_back({{ratio * memcpy_seconds * slowness, memcpy_seconds * slowness}});
  return row;
}

bench_record run_of(std::vector<bench_row> rows) {
  return {.context = {{"processor", "one"}, {"date", "today"}}, .ceilings = {}, .rows = std::move(rows)};
}

const std::vector<double> quiet = {1.500, 1.505, 1.495, 1.502, 1.498};

std::vector<double> scaled(std::vector<double> values, double factor) {
  for (double& value : values) value *= factor;
  return values;
}

/// What is found of one row that has these ratios.
row_comparison found_of(const std::vector<double>& before, const std::vector<double>& after,
                        double threshold = measure::smallest_change) {
  return compare(run_of({row_with("a", before)}), run_of({row_with("a", after)}), threshold).rows.at(0);
}

TEST(Comparison, RunIsEqualToItself) {
  const bench_record run = run_of({row_with("a", {1, 2, 30}), row_with("b", quiet)});
  const comparison comparison = compare(run, run, measure::smallest_change);
  ASSERT_EQ(comparison.rows.size(), 2U);
  for (const row_comparison& row : comparison.rows) {
    EXPECT_EQ(row.verdict, verdict::unchanged);
    EXPECT_EQ(row.change.low, 1);
    EXPECT_EQ(row.change.high, 1);
    EXPECT_FALSE(row.is_news());
  }
  EXPECT_TRUE(comparison.differences.empty());
  EXPECT_FALSE(comparison.has_slowdown());
}

TEST(Comparison, VerdictFollowsTheInterval) {
  EXPECT_EQ(found_of(quiet, scaled(quiet, 1.2)).verdict, verdict::slower);
  EXPECT_EQ(found_of(quiet, scaled(quiet, 1 / 1.2)).verdict, verdict::faster);
  EXPECT_EQ(found_of(quiet, scaled(quiet, 1.001)).verdict, verdict::unchanged);
  EXPECT_EQ(found_of(quiet, scaled(quiet, 1.05)).verdict, verdict::undecided);
  EXPECT_EQ(found_of(quiet, {1.1, 1.9, 1.5, 1.3, 1.7}).verdict, verdict::too_noisy);
}

TEST(Comparison, ThresholdDecides) {
  EXPECT_EQ(found_of(quiet, scaled(quiet, 1.2), 0.1).verdict, verdict::slower);
  EXPECT_EQ(found_of(quiet, scaled(quiet, 1.2), 0.3).verdict, verdict::unchanged);
}

TEST(Comparison, OnlySlownessFails) {
  const auto whole = [](double factor) {
    return compare(run_of({row_with("a", quiet)}), run_of({row_with("a", scaled(quiet, factor))}),
                   measure::smallest_change);
  };
  EXPECT_TRUE(whole(1.2).has_slowdown());
  EXPECT_FALSE(whole(1 / 1.2).has_slowdown());
  EXPECT_FALSE(whole(1.05).has_slowdown());
}

TEST(Comparison, SlowerMachineCancelsOut) {
  const comparison comparison =
      compare(run_of({row_with("a", quiet)}), run_of({row_with("a", scaled(quiet, 1.001), 4)}),
              measure::smallest_change);
  EXPECT_EQ(comparison.rows[0].verdict, verdict::unchanged);
  EXPECT_EQ(comparison.other, 4);
  EXPECT_NE(as_text(comparison).find("took x4.00 as long"), std::string::npos);
}

/// A row whose memcpy became faster by a third, and the row itself not.
comparison with_faster_memcpy(const std::string& processor) {
  bench_record after = run_of({row_with("a", scaled(quiet, 1.5), 1 / 1.5)});
  after.context["processor"] = processor;
  return compare(run_of({row_with("a", quiet)}), after, measure::smallest_change);
}

TEST(Comparison, FasterMemcpyIsNoSlowerRow) {
  const comparison comparison = with_faster_memcpy("one");
  EXPECT_EQ(comparison.rows[0].verdict, verdict::undecided);
  EXPECT_FALSE(comparison.has_slowdown());
  EXPECT_NE(as_text(comparison).find("in seconds x1 ("), std::string::npos) << as_text(comparison);
}

TEST(Comparison, OtherProcessorsCompareRatiosAlone) {
  EXPECT_EQ(with_faster_memcpy("another").rows[0].verdict, verdict::slower);
}

TEST(Comparison, RowsWithoutAnotherCompareSeconds) {
  bench_row before = row_with("a", quiet), after = row_with("a", scaled(quiet, 2));
  before.other = after.other = "";
  const comparison comparison = compare(run_of({before}), run_of({after}), measure::smallest_change);
  EXPECT_EQ(comparison.rows[0].verdict, verdict::slower);
  EXPECT_NE(as_text(comparison).find("150 us"), std::string::npos);
  EXPECT_TRUE(std::isnan(comparison.other));
}

TEST(Comparison, RowsOfOneRunAreListed) {
  const comparison comparison =
      compare(run_of({row_with("a", quiet), row_with("gone", quiet)}),
              run_of({row_with("new", quiet), row_with("a", quiet)}), measure::smallest_change);
  EXPECT_EQ(comparison.rows.size(), 1U);
  EXPECT_EQ(comparison.only_before, std::vector<std::string>{"gone"});
  EXPECT_EQ(comparison.only_after, std::vector<std::string>{"new"});
}

TEST(Comparison, OtherModelIsRefused) {
  bench_row other = row_with("a", quiet);
  other.model = "llama";
  try {
    compare(run_of({row_with("a", quiet)}), run_of({other}), measure::smallest_change);
    FAIL() << "rows of different models match";
  } catch (const bad_input& refusal) {
    const std::string said = refusal.what();
    EXPECT_NE(said.find("llama"), said.npos) << said;
    EXPECT_NE(said.find("base 10000"), said.npos) << said;
  }
}

TEST(Comparison, RowsOfOneNameAreToldApart) {
  bench_row wide = row_with("a", quiet);
  wide.heads = 64;
  const bench_record before = run_of({row_with("a", quiet), wide});
  wide = row_with("a", scaled(quiet, 1.5));
  wide.heads = 64;
  const comparison comparison =
      compare(before, run_of({wide, row_with("a", quiet)}), measure::smallest_change);
  ASSERT_EQ(comparison.rows.size(), 2U);
  EXPECT_EQ(comparison.rows[0].verdict, verdict::slower);
  EXPECT_NE(comparison.rows[0].label.find("64/0 heads"), std::string::npos) << comparison.rows[0].label;
  EXPECT_EQ(comparison.rows[1].verdict, verdict::unchanged);
}

/// Why a row that a change was made to is not compared with what it was.
template <class Change>
std::string why_not(Change change) {
  bench_row before = row_with("a", quiet), after = before;
  change(after);
  const row_comparison comparison =
      compare(run_of({before}), run_of({after}), measure::smallest_change).rows.at(0);
  EXPECT_EQ(comparison.verdict, verdict::not_compared);
  return comparison.why_not;
}

TEST(Comparison, SaysWhyARowIsNotCompared) {
  EXPECT_EQ(why_not([](bench_row& row) { row.not_timed = "not served: f64"; }), "after: not served: f64");
  EXPECT_EQ(why_not([](bench_row& row) { row.repetitions.resize(1); }),
            "after: 1 repetition: too few for an interval");
  EXPECT_EQ(why_not([](bench_row& row) { row.repetitions.back().clear(); }), "after: a round without a time");
  EXPECT_EQ(why_not([](bench_row& row) { row.repetitions[0][0].other = 0; }),
            "after: a round without a time");
  EXPECT_EQ(why_not([](bench_row& row) {
              row.repetitions[0][0] = {1e300, 1e-300};
            }),
            "after: a round without a time");  // a ratio without a logarithm
  EXPECT_EQ(why_not([](bench_row& row) { row.other = "contiguous copy"; }),
            "baseline memcpy before, contiguous copy after");
  EXPECT_EQ(why_not([](bench_row& row) { row.bytes = 8192; }), "4096 bytes a call before, 8192 after");
}

TEST(Comparison, NameOfSeveralRowsIsNotGuessed) {
  const bench_row row = row_with("a", quiet);
  const comparison comparison = compare(run_of({row}), run_of({row, row}), measure::smallest_change);
  EXPECT_EQ(comparison.rows.at(0).why_not, "several rows of this name in one run");
}

TEST(Comparison, OtherMachineIsSaidAndOtherDateIsNot) {
  bench_record before = run_of({row_with("a", quiet)}), after = before;
  after.context["processor"] = "another";
  after.context["date"] = "tomorrow";
  after.context["vulkan_device"] = "new";
  const comparison comparison = compare(before, after, measure::smallest_change);
  EXPECT_EQ(comparison.differences,
            (std::vector<std::string>{"processor: one -> another", "vulkan_device: not stated -> new"}));
}

measure::error_below error(std::int64_t limit, double ulp, double distance, double share) {
  return {limit, true, ulp, distance, share};
}

TEST(Comparison, PrecisionThatSpeedCostIsSaid) {
  bench_row before = row_with("a", quiet), after = row_with("a", scaled(quiet, 0.5));
  before.errors = {error(2048, 0.5, 4e-8, 1), error(131072, 0.5, 4e-8, 1)};
  after.errors = {error(2048, 0.5, 4e-8, 1), error(131072, 5.4e7, 0.0072, 0.1035)};
  const row_comparison row = compare(run_of({before}), run_of({after}), measure::smallest_change).rows.at(0);
  EXPECT_EQ(finding_of(row), "faster, less precise");
  EXPECT_EQ(
      row.precision.lines,
      std::vector<std::string>{
          "less precise below 131,072: ulp 0.5 -> 5.4e+07, off 4e-08 -> 0.0072, right 100 % -> 10.35 %"});
}

TEST(Comparison, PrecisionOfAKernelIsSaidOnce) {
  std::vector<bench_row> before = {row_with("apply/a", quiet), row_with("backward/a", quiet)}, after = before;
  for (bench_row& row : before) row.errors = {error(2048, 1, 1e-7, 0.9)};
  for (bench_row& row : after) row.errors = {error(2048, 2, 1e-7, 0.9)};
  for (auto* rows : {&before, &after})
    for (bench_row& row : *rows) row.kernel = "a", row.dtype = "f32", row.pairing = "-";
  const comparison comparison = compare(run_of(before), run_of(after), measure::smallest_change);
  EXPECT_EQ(comparison.rows.at(0).precision.lines,
            std::vector<std::string>{"less precise below 2,048: ulp 1 -> 2"});
  EXPECT_EQ(comparison.rows.at(1).precision.lines,
            std::vector<std::string>{"less precise, as above for a/f32/-"});
}

TEST(Comparison, SmallChangesOfPrecisionShowTheirDigits) {
  bench_row before = row_with("a", quiet), after = before;
  before.errors = {error(2048, 2, 1e-7, 0.98765)};
  after.errors = {error(2048, 2, 1e-7, 0.98764)};
  EXPECT_EQ(precision_between(before, after).lines,
            std::vector<std::string>{"less precise below 2,048: right 0.98765 -> 0.98764"});
}

TEST(Comparison, PrecisionMayGrowOrBeLost) {
  bench_row before = row_with("a", quiet), after = before;
  before.errors = {error(2048, 2, 1e-7, 0.5)};
  const auto trend = [&](const measure::error_below& now) {
    after.errors = {now};
    return precision_between(before, after).trend;
  };
  EXPECT_EQ(trend(error(2048, 2, 1e-7, 0.5)), precision_trend::same);
  EXPECT_EQ(trend(error(2048, 1, 1e-7, 0.6)), precision_trend::better);
  EXPECT_EQ(trend(error(2048, 1, 1e-7, 0.4)), precision_trend::mixed);
  EXPECT_EQ(trend({2048, false}), precision_trend::worse);
  EXPECT_EQ(trend(error(4096, 9, 9, 0)), precision_trend::same);  // another range of positions
}

TEST(Comparison, ChangedResultIsNews) {
  bench_row before = row_with("a", quiet), after = before;
  before.check = "the bits of the reference";
  after.check = "WRONG";
  after.is_wrong = true;
  const comparison comparison = compare(run_of({row_with("b", quiet), before}),
                                        run_of({row_with("b", quiet), after}), measure::smallest_change);
  EXPECT_EQ(comparison.rows.at(0).notes,
            std::vector<std::string>{"result: WRONG (was the bits of the reference)"});
}

TEST(Comparison, OtherSamplesOfACheckAreNoNews) {
  bench_row before = row_with("a", quiet), after = before;
  before.check = "within its bound, at most 0.40 of it";
  after.check = "within its bound, at most 0.41 of it";
  EXPECT_FALSE(compare(run_of({before}), run_of({after}), measure::smallest_change).rows.at(0).is_news());
}

/// A comparison in which everything that has a text is long and hostile.
comparison hostile_comparison() {
  const std::string hostile = "<b>|`*\n\x1b[31m" + std::string(200, 'x');
  bench_row before = row_with(hostile, quiet), after = row_with(hostile, scaled(quiet, 2));
  before.errors = {error(std::int64_t{1} << 31, 123456789, 1.25e-7, 0.98765)};
  after.errors = {error(std::int64_t{1} << 31, 9.87654321e-5, 1.25e-9, 0.98766)};
  after.check = hostile;
  after.is_wrong = true;
  bench_row lost = row_with("lost" + hostile, quiet);
  bench_record first = run_of({before, lost, row_with("gone" + hostile, quiet)});
  lost.not_timed = hostile;
  bench_record second = run_of({after, lost});
  second.context["processor"] = hostile;
  return compare(first, second, measure::smallest_change);
}

TEST(Comparison, TextKeepsToItsWidth) {
  std::istringstream text(as_text(hostile_comparison()));
  int lines = 0;
  for (std::string line; std::getline(text, line); ++lines) {
    EXPECT_LE(line.size(), 100U) << line;
    EXPECT_TRUE(std::all_of(line.begin(), line.end(), [](char letter) { return letter >= ' '; })) << line;
  }
  EXPECT_GT(lines, 8);
}

TEST(Comparison, WideIntervalsStayReadable) {
  row_comparison row{.label = "a"};
  row.verdict = verdict::too_noisy;
  row.change = {12.4, 1e-9, 1e12};
  EXPECT_EQ(cells_of(row).change, "x12");
  EXPECT_EQ(cells_of(row).interval, "-100.0 to >x999");
}

TEST(Comparison, MarkdownKeepsHostileTextPlain) {
  const std::string text = as_markdown(hostile_comparison());
  EXPECT_EQ(text.find("<b>"), text.npos) << text;
  EXPECT_EQ(text.find('\x1b'), text.npos);
  EXPECT_NE(text.find("**slower, more precise**"), text.npos) << text;
}

TEST(Comparison, MarkdownUnfoldsWhatDidNotChange) {
  const comparison comparison = compare(
      run_of({row_with("same", quiet), row_with("changed", quiet)}),
      run_of({row_with("same", quiet), row_with("changed", scaled(quiet, 2))}), measure::smallest_change);
  const std::string text = as_markdown(comparison);
  EXPECT_TRUE(
      text.starts_with("### ropewalk bench: 1 of 2 rows slower by more than 5 %, 0 faster, 1 unchanged"))
      << text;
  EXPECT_LT(text.find("changed"), text.find("<details>"));
  EXPECT_GT(text.find("| <code>same</code>"), text.find("<details>")) << text;
}

}  // namespace
}  // namespace ropewalk::bench
