// The matrix: every mark in its place, blocks that fit, and a legend of the marks that appear.

#include "report/matrix.hpp"

#include <gtest/gtest.h>

#include <sstream>
#include <string>
#include <vector>

#include "ropewalk/law/rotation_laws.hpp"

namespace ropewalk::report::matrix_test {
namespace {

using verify::result;
using verify::results;

/// A result that holds, with a given observed / bound.
result held(std::string kernel, const law_text& law, double ratio, ropewalk_dtype dtype = ROPEWALK_F32) {
  result result{.kernel = std::move(kernel), .model = "m", .dtype = dtype, .law = law};
  result.outcome.cases = result.outcome.compared = 200;
  result.outcome.worst.worst = ratio;
  result.outcome.worst.bound = law.norm.empty() ? 0 : 1e-7;
  return result;
}

result failed(result result, double ratio) {
  result.outcome.worst.worst = ratio;
  result.outcome.failure.emplace();
  return result;
}

std::string matrix_of(std::vector<result> lines, int columns = 80) {
  results results;
  results.lines = std::move(lines);
  return as_matrix(results, columns, output::stream::out);
}

/// The cells of a law's first row, without the law.
std::string row_of(const std::string& matrix, std::string_view law) {
  std::istringstream lines(matrix);
  for (std::string line; std::getline(lines, line);)
    if (line.starts_with(std::string(law) + " ")) return line.substr(line.find_first_not_of(' ', law.size()));
  return "no row of " + std::string(law) + " in\n" + matrix;
}

constexpr law_text accuracy = rotation_laws::accuracy.text();
constexpr law_text layouts = rotation_laws::layouts.text();  // equality decides

TEST(Matrix, ACellIsTheWorstOfModelsAndDtypes) {
  const std::string text = matrix_of({held("a", accuracy, 0.25), held("a", accuracy, 0.5, ROPEWALK_F64),
                                      held("b", accuracy, 0.999), held("a", layouts, 0)});
  EXPECT_EQ(row_of(text, "accuracy"), "0.5  0.99");
  EXPECT_EQ(row_of(text, "layouts"), "=");
  EXPECT_EQ(text.find("fails"), std::string::npos) << text;
  EXPECT_NE(text.find("=  equal bits"), std::string::npos) << text;
}

TEST(Matrix, AFailureIsShownWhateverHoldsBesideIt) {
  const std::string text =
      matrix_of({held("a", accuracy, 0.25), failed(held("a", accuracy, 0, ROPEWALK_F16), 7.25),
                 failed(held("a", layouts, 0, ROPEWALK_BF16), 2), held("a", layouts, 0)});
  EXPECT_EQ(row_of(text, "accuracy"), "7.2 f16");
  EXPECT_EQ(row_of(text, "layouts"), "x bf16");
  EXPECT_NE(text.find("fails"), std::string::npos) << text;
}

TEST(Matrix, WhatDecidesNothingHasAMarkOfItsOwn) {
  result vacuous = held("a", accuracy, 0), declined = vacuous, undecided = vacuous, beyond = vacuous,
         unbounded = vacuous, unasked = vacuous;
  vacuous.kernel = "vacuous";
  vacuous.outcome.compared = 0;
  vacuous.outcome.vacuous = 200;
  declined.kernel = "declined";
  declined.outcome.declined = 200;
  undecided.kernel = "undecided";
  undecided.outcome.undecided_cases = 200;
  beyond.kernel = "beyond";
  beyond.beyond = "f32";
  unbounded.kernel = "unbounded";
  unbounded.no_bound = "too large";
  unasked.kernel = "unasked";
  unasked.outcome = {};
  const std::string text = matrix_of({vacuous, declined, undecided, beyond, unbounded, unasked}, 200);
  EXPECT_EQ(row_of(text, "accuracy"), "~        !         ?          -       no bound   .");
  result other = held("vacuous", accuracy, 0.5, ROPEWALK_F64);
  EXPECT_EQ(row_of(matrix_of({vacuous, other}), "accuracy"), "0.5 ~");
}

TEST(Matrix, WhereErrorsMayGrowItSaysFromWhichPositionsTheyPassOnePercent) {
  result result = held("a", rotation_laws::extrapolation.text(), 0.5);
  result.needs.one_range = true;
  result.promised = promise::angle_f32;
  result.outcome.ranges[17].error = 0.02;
  EXPECT_EQ(row_of(matrix_of({result}), "extrapolation"), "2^17");
  result.outcome.ranges[17].error = 0.009;
  EXPECT_EQ(row_of(matrix_of({result}), "extrapolation"), "<1%");
}

TEST(Matrix, ALawThatWasLeftOutKeepsItsRow) {
  results results;
  results.lines = {held("a", accuracy, 0.5)};
  results.skipped_laws = {{"norm", "because"}};
  EXPECT_EQ(row_of(as_matrix(results, 80, output::stream::out), "norm"), "s");
}

TEST(Matrix, BlocksFitTheTerminal) {
  std::vector<result> lines;
  for (int i = 0; i < 12; ++i) lines.push_back(held("kernel-" + std::to_string(i), accuracy, 0.5));
  for (const int columns : {40, 80, 200}) {
    const std::string text = matrix_of(lines, columns);
    std::istringstream each(text);
    int blocks = 0;
    for (std::string line; std::getline(each, line);) {
      if (!line.starts_with("accuracy")) continue;
      EXPECT_LE(line.size(), static_cast<std::size_t>(columns)) << line;
      ++blocks;
    }
    EXPECT_EQ(blocks, columns == 40 ? 4 : columns == 80 ? 2 : 1) << text;
  }
}

TEST(Matrix, KernelsOfALibraryAreNamedByTheirNamesWhereTheseDiffer) {
  EXPECT_NE(matrix_of({held("some/where/a.so:mine", accuracy, 0.5), held("cpu-table", accuracy, 0.5)})
                .find("          mine  cpu-table\n"),
            std::string::npos);
  EXPECT_NE(matrix_of({held("a.so:mine", accuracy, 0.5), held("b.so:mine", accuracy, 0.5)})
                .find("  a.so:mine  b.so:mine\n"),
            std::string::npos);
}

TEST(Matrix, TablesHaveALineAFamily) {
  result result = held(std::string(verify::tables_label), accuracy, 0.5), other = result, bits = result;
  result.model = "RoPE, yarn";
  other.model = "RoPE, llama3";
  other.outcome.worst.worst = 0.75;
  bits.model = "binary";
  bits.law = layouts;
  bits.outcome.worst.bound = 0;
  const std::string text = matrix_of({result, other, bits});
  EXPECT_EQ(row_of(text, "RoPE"), "2          1     0.75  accuracy");
  EXPECT_EQ(row_of(text, "binary"), "1          1     =");
}

}  // namespace
}  // namespace ropewalk::report::matrix_test
