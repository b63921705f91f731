// Figures of encodings: facts that the numbers of each must satisfy, whoever draws them.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <string>
#include <vector>

#include "model/model.hpp"
#include "plot/figure_numbers.hpp"
#include "plot/figures.hpp"
#include "plot/subject.hpp"

namespace ropewalk::plot {
namespace {

std::vector<figure> every_figure_of_encodings() {
  std::vector<figure> result;
  for (const description& description : figures())
    if (!description.needs_measurement && description.name != "error-by-position")
      result.push_back(description.make(qwen()));
  return result;
}

std::size_t count_of(const std::string& text, const std::string& name) {
  std::size_t count = 0;
  for (std::size_t at = text.find(name); at != std::string::npos; at = text.find(name, at + 1)) ++count;
  return count;
}

TEST(FiguresOfEncodings, TenAreListed) { EXPECT_EQ(every_figure_of_encodings().size(), 10u); }

TEST(FiguresOfEncodings, SayWhatToSeeAndHowToMakeThem) {
  for (const figure& figure : every_figure_of_encodings()) {
    SCOPED_TRACE(figure.name);
    EXPECT_EQ(figure_named(figure.name).name, figure.name);
    EXPECT_FALSE(figure.title.empty());
    ASSERT_FALSE(figure.sentence.empty());
    EXPECT_EQ(figure.sentence.back(), '.');
    EXPECT_GT(figure.alt.size(), figure.sentence.size());
    EXPECT_EQ(figure.alt.back(), '.');
    EXPECT_TRUE(
        std::any_of(figure.alt.begin(), figure.alt.end(), [](char c) { return c >= '0' && c <= '9'; }));
    EXPECT_EQ(count_of(figure.alt, "nan") + count_of(figure.sentence, "nan"), 0u);
    EXPECT_TRUE(figure.command.starts_with("ropewalk plot " + figure.name + " "));
    EXPECT_TRUE(figure.command.ends_with(" --svg " + figure.name + ".svg"));
  }
}

TEST(FiguresOfEncodings, NameTheModelWhereTheyDependOnIt) {
  for (const char* name : {"extrapolation", "wavelengths", "long-term-decay", "rotation", "table-bits"}) {
    const figure figure = figure_named(name).make(qwen());
    EXPECT_NE(figure.command.find(" --model qwen2.5-7b-yarn4 "), std::string::npos) << name;
    EXPECT_NE(figure.title.find("qwen2.5-7b-yarn4"), std::string::npos) << name;
  }
}

TEST(FiguresOfEncodings, HaveAxesWithTitlesAndSeriesOfOneLength) {
  for (const figure& figure : every_figure_of_encodings())
    for (const panel& part : figure.panels) {
      SCOPED_TRACE(figure.name + ", " + part.title);
      EXPECT_FALSE(part.x.title.empty());
      EXPECT_FALSE(part.y.title.empty());
      EXPECT_TRUE(part.cells || !part.series.empty());
      for (const series& line : part.series) {
        EXPECT_GE(line.x.size(), 2u - (line.mark == mark::points ? 1u : 0u)) << line.name;
        EXPECT_EQ(line.y.size(), line.x.size());
        EXPECT_TRUE(line.hints.empty() || line.hints.size() == line.x.size());
        EXPECT_TRUE(line.labels.empty() || line.labels.size() == line.x.size());
        EXPECT_EQ(line.upper.size(), line.mark == mark::band ? line.x.size() : 0u);
      }
    }
}

TEST(FiguresOfEncodings, HaveCellsWithinTheirColours) {
  for (const figure& figure : every_figure_of_encodings())
    for (const panel& part : figure.panels) {
      if (!part.cells) continue;
      SCOPED_TRACE(figure.name + ", " + part.title);
      EXPECT_EQ(part.cells->values.size(), part.cells->rows * part.cells->columns);
      for (const double value : part.cells->values)
        if (!std::isnan(value)) {
          ASSERT_GE(value, part.cells->least.value);
          ASSERT_LE(value, part.cells->most.value);
        }
    }
}

TEST(FiguresOfEncodings, NameAnEncodingByHandByItsNumbers) {
  subject subject = qwen();
  subject.model = model::model_by_hand(500, 64, 64, pairing::half_split, "");
  EXPECT_EQ(rotation(subject).title, "Rotation of pairs by their position: base 500, rotary_dim 64");
}

TEST(FiguresOfEncodings, ServeEveryModelOfTheSpread) {
  for (const std::string_view name : model::catalogue_spread()) {
    subject subject = qwen();
    subject.model = model::catalogue_model(name);
    subject.trained = 2048;
    subject.target = 8192;
    subject.model = model::at_seq_len(subject.model, {}, {subject.target, "the target length"});
    subject.is_quick = true;
    for (const char* figure_name : {"extrapolation", "wavelengths", "rotation"}) {
      SCOPED_TRACE(std::string(name) + ", " + figure_name);
      const figure figure = figure_named(figure_name).make(subject);
      EXPECT_EQ(figure.alt.find("nan"), std::string::npos);
      EXPECT_EQ(figure.sentence.find("nan"), std::string::npos);
    }
  }
}

}  // namespace
}  // namespace ropewalk::plot
