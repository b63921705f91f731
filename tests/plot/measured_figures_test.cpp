// Figures of measurements show the record's own numbers, and say them in words.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "input/bad_input.hpp"
#include "kernel/kernels.hpp"
#include "plot/figures.hpp"
#include "plot/sample_figures.hpp"

namespace ropewalk::plot::measured_figures_test {
namespace {

using measure::bench_row;
using measure::kernel_role;
using measure::not_measured;

bench_row row_of(std::string kernel, std::string dtype, kernel_role role, double ratio, double distance) {
  bench_row row{.name = {},
                .group = "apply",
                .kernel = std::move(kernel),
                .dtype = std::move(dtype),
                .pairing = "half-split",
                .tokens = 512,
                .role = role};
  row.heads = 32;
  row.bytes = 1e6;
  row.other = "memcpy";
  row.seconds = {ratio * 1e-5, ratio * 0.9e-5, ratio * 1.1e-5};
  row.ratio = {ratio, ratio * 0.9, ratio * 1.1};
  row.errors = {
      {.limit = 2048, .is_served = true, .ulp = 1, .distance = distance / 10, .correctly_rounded = 1},
      {.limit = 131072, .is_served = true, .ulp = 1, .distance = distance, .correctly_rounded = 1}};
  return row;
}

measure::bench_record sample_record() {
  measure::bench_record record{.context = {{"processor", "a processor"}}, .ceilings = {}, .rows = {}};
  record.rows.push_back(row_of("cpu-table", "f32", kernel_role::canonical, 1.5, 4e-8));
  record.rows.push_back(row_of("recipe-fast", "f32", kernel_role::recipe, 1.25, 7e-3));
  record.rows.push_back(row_of("recipe-slow", "f32", kernel_role::recipe, 4, 7e-3));
  record.rows.push_back(row_of("mine.py:rope", "f32", kernel_role::given, 2, 1e-4));
  record.rows.back().seconds = record.rows.back().ratio = {};
  record.rows.back().not_timed = "not timed: the program has no `time` request";
  record.rows.push_back(row_of("cpu-table", "bf16", kernel_role::canonical, 2, 3e-3));
  record.ceilings = {{"L2", 1, 1e5, {5e10, 4e10, 6e10}}, {"memory", 2, 1e9, {3e10, 2e10, 4e10}}};
  return record;
}

subject subject_of(const measure::bench_record* measured) {
  subject result;
  result.model = model::model_by_hand(10000, 16, 16, pairing::half_split, "");
  result.measured = measured;
  result.is_quick = true;
  return result;
}

/// The series of a kernel and mark; throws if there is none.
const series& series_of(const panel& panel, std::string_view kernel, mark drawn) {
  for (const series& series : panel.series)
    if (series.mark == drawn && series.tags.contains("kernel") && series.tags.at("kernel") == kernel)
      return series;
  throw std::out_of_range("no series of " + std::string(kernel));
}

TEST(Frontier, PointsAreTheRecordsTimesAndErrorsBelow131072) {
  const measure::bench_record record = sample_record();
  const figure figure = frontier(subject_of(&record));
  ASSERT_EQ(figure.panels.size(), 2U);
  EXPECT_EQ(figure.panels[0].title, "f32");
  EXPECT_EQ(figure.panels[1].title, "bf16");
  const series& fast = series_of(figure.panels[0], "recipe-fast", mark::points);
  EXPECT_EQ(fast.x, std::vector<double>{1.25});
  EXPECT_EQ(fast.y, std::vector<double>{7e-3});
  EXPECT_EQ(fast.role, role::recipe);
  EXPECT_EQ(fast.labels, std::vector<std::string>{"fast"});
  EXPECT_NE(fast.hints.at(0).find("1.25 times as long as memcpy (95 %: 1.12 to 1.38); off by up to 0.007"),
            std::string::npos)
      << fast.hints[0];
  EXPECT_EQ(series_of(figure.panels[0], "recipe-fast", mark::line).x, (std::vector<double>{1.125, 1.375}));
  EXPECT_NE(fast.colour,
            series_of(figure.panels[1], "cpu-table", mark::points).colour);  // one colour a dtype
}

TEST(Frontier, NamesTheKernelsThatNoneBeats) {
  const measure::bench_record record = sample_record();
  const std::string sentence = frontier(subject_of(&record)).sentence;
  EXPECT_NE(sentence.find("f32: cpu-table, recipe-fast; bf16: cpu-table."), sentence.npos) << sentence;
  EXPECT_NE(sentence.find("512 tokens of 32 heads, half-split, a processor"), sentence.npos) << sentence;
}

TEST(Frontier, KernelsWithoutATimeStandInTheirMargin) {
  const measure::bench_record record = sample_record();
  const panel panel = frontier(subject_of(&record)).panels.at(0);
  const series& mine = series_of(panel, "mine.py:rope", mark::points);
  ASSERT_EQ(panel.x.ticks.back().label, "not timed");
  EXPECT_EQ(mine.x.at(0), panel.x.ticks.back().at);
  EXPECT_GT(mine.x.at(0), 4 * 1.1);  // right of the slowest
  EXPECT_LT(mine.x.at(0), panel.x.most.value);
  EXPECT_NE(mine.hints.at(0).find("not timed"), std::string::npos);
}

TEST(Frontier, KernelsWithoutAnErrorAreLeftOut) {
  measure::bench_record record = sample_record();
  record.rows[1].errors[1].is_served = false;
  const figure figure = frontier(subject_of(&record));
  EXPECT_THROW(static_cast<void>(series_of(figure.panels.at(0), "recipe-fast", mark::points)),
               std::out_of_range);
}

TEST(Frontier, ComparesRowsOfOneNumberOfTokensOneThreadAndTheBestTarget) {
  measure::bench_record record = sample_record();
  record.rows.push_back(row_of("cpu-table", "f32", kernel_role::canonical, 9, 4e-8));
  record.rows.back().tokens = 4096;
  record.rows.push_back(row_of("cpu-turns", "f32", kernel_role::canonical, 9, 4e-8));
  record.rows.back().threads = 2;
  record.context["targets"] = "avx2 scalar";
  record.rows.push_back(row_of("cpu-turns-scalar", "f32", kernel_role::canonical, 9, 4e-8));
  const figure figure = frontier(subject_of(&record));
  const auto points =
      std::count_if(figure.panels[0].series.begin(), figure.panels[0].series.end(),
                    [](const series& series) { return series.mark == mark::points && !series.x.empty(); });
  EXPECT_EQ(points, 4);
}

TEST(MeasuredFigures, AskForARecord) {
  for (const description& figure : figures())
    if (figure.needs_measurement) {
      EXPECT_THROW(static_cast<void>(figure.make(subject_of(nullptr))), bad_input) << figure.name;
    }
}

TEST(MeasuredFigures, HaveWordsAndAsManyHintsAsPoints) {
  const measure::bench_record record = sample_record();
  for (const description& description : figures()) {
    if (!description.needs_measurement && description.name != "error-by-position") continue;
    const figure figure = description.make(subject_of(&record));
    EXPECT_EQ(figure.name, description.name);
    EXPECT_FALSE(figure.title.empty() || figure.sentence.empty() || figure.alt.empty());
    EXPECT_TRUE(figure.command.starts_with("ropewalk plot " + figure.name)) << figure.command;
    ASSERT_FALSE(figure.panels.empty());
    for (const panel& each : figure.panels)
      for (const series& drawn : each.series) {
        EXPECT_EQ(drawn.x.size(), drawn.y.size());
        EXPECT_TRUE(drawn.hints.empty() || drawn.hints.size() == drawn.x.size());
        EXPECT_TRUE(drawn.labels.empty() || drawn.labels.size() == drawn.x.size());
      }
  }
}

TEST(MeasuredFigures, EmptyRecordsAreDrawn) {
  const measure::bench_record record{};
  for (const description& figure : figures())
    if (figure.needs_measurement) {
      EXPECT_NO_THROW(static_cast<void>(figure.make(subject_of(&record)))) << figure.name;
    }
}

TEST(TimeByTokens, IsNanosecondsATokenByTheirNumber) {
  measure::bench_record record = sample_record();
  record.rows.push_back(record.rows[0]);
  record.rows.back().tokens = 4096;
  record.rows.push_back(record.rows[0]);
  record.rows.back().group = "one-token";
  record.rows.back().tokens = 1;
  const figure figure = time_by_tokens(subject_of(&record));
  const series& line = series_of(figure.panels.at(0), "cpu-table", mark::line_with_points);
  EXPECT_EQ(line.x, (std::vector<double>{1, 512, 4096}));
  EXPECT_DOUBLE_EQ(line.y[0], 15000);
  EXPECT_DOUBLE_EQ(line.y[2], 15000.0 / 4096);
  EXPECT_THROW(static_cast<void>(series_of(figure.panels[0], "mine.py:rope", mark::line_with_points)),
               std::out_of_range);
}

TEST(Roofline, RowsAreSortedByRateBesideTheCeilingsOfOneThread) {
  const measure::bench_record record = sample_record();
  const panel panel = roofline(subject_of(&record)).panels.at(0);
  EXPECT_DOUBLE_EQ(series_of(panel, "cpu-table", mark::points).x.at(0), 1e6 / 1.5e-5 / 1e9);
  ASSERT_EQ(panel.y.ticks.size(), 3U);  // the one without a time has no rate
  EXPECT_EQ(panel.y.ticks[0].label, "fast");
  EXPECT_EQ(panel.y.ticks[2].label, "slow");
  std::vector<double> ceilings;
  for (const series& each : panel.series)
    if (each.role == role::reference) ceilings.push_back(each.x.at(0));
  EXPECT_EQ(ceilings, std::vector<double>{50});
}

TEST(ErrorByPosition, IsFlatForExactPhasesAndRisesForARoundedAngle) {
  subject subject = subject_of(nullptr);
  const auto recipes = recipe_kernels();
  const auto match = std::find_if(recipes.begin(), recipes.end(), [](const auto& item) {
    return std::string_view(item.name) == "recipe-hf-f32";
  });
  subject.kernels.push_back({.entry = &*match, .origin = {}, .is_recipe = true});
  double shown = 0;
  subject.progress = [&](double share) { shown = share; };
  const figure drawn = error_by_position(subject);
  EXPECT_EQ(shown, 1);
  const series& exact = series_of(drawn.panels.at(0), "cpu-turns", mark::line);
  const series& rounded = series_of(drawn.panels.at(0), "recipe-hf-f32", mark::line);
  EXPECT_EQ(exact.role, role::canonical);
  EXPECT_EQ(rounded.role, role::recipe);
  EXPECT_EQ(exact.x.back(), 2147483647.0);
  const double half_an_ulp = 0x1p-24;  // of numbers up to 1: the error of a canonical entry
  EXPECT_LT(*std::max_element(exact.y.begin(), exact.y.end()), 1.5 * half_an_ulp);  // of two entries: sqrt 2
  EXPECT_GT(rounded.y.back(), 1);
  EXPECT_GT(rounded.y[17], 100 * rounded.y[8]);  // 2^9 times the position
}

TEST(ErrorByPosition, BandsReachFromTheErrorToItsProvedBound) {
  const figure drawn = error_by_position(subject_of(nullptr));
  const series& band = series_of(drawn.panels.at(0), "cpu-turns", mark::band);
  const series& line = series_of(drawn.panels[0], "cpu-turns", mark::line);
  ASSERT_EQ(band.upper.size(), line.y.size());
  for (std::size_t i = 0; i < line.y.size(); ++i) {
    EXPECT_EQ(band.y[i], line.y[i]);
    EXPECT_GT(band.upper[i], line.y[i]);
  }
}

TEST(ErrorByPosition, SaysTheErrorAt131072) {
  const figure drawn = error_by_position(subject_of(nullptr));
  for (const std::string& text : {drawn.sentence, drawn.alt})
    EXPECT_NE(text.find("Near position 131,072 kernels are off by up to: cpu-turns by "), text.npos) << text;
}

}  // namespace
}  // namespace ropewalk::plot::measured_figures_test
