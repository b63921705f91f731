// A figure's JSON reads back, and JSON that is no figure is refused by the field that is wrong.

#include "plot/figure.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <cstddef>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "input/bad_input.hpp"
#include "plot/sample_figures.hpp"

namespace ropewalk::plot::figure_test {
namespace {

/// A figure with every field set.
figure full_figure() {
  panel panel{.title = "one",
              .x = {.title = "x (tokens)",
                    .scale = scale::log2,
                    .least = 1.0,
                    .most = 8.0,
                    .ticks = {{2, "two"}},
                    .is_reversed = true},
              .y = {.title = "y", .scale = scale::log10}};
  panel.series.push_back({.name = "band",
                          .mark = mark::band,
                          .role = role::bound,
                          .x = {1, 2},
                          .y = {0.1, 1e-300},
                          .upper = {1, no_number},
                          .hints = {"a", "b"},
                          .labels = {"", "c"},
                          .colour = 3,
                          .tags = {{"kernel", "k"}}});
  panel.is_square = true;
  figure result = figure_of({panel, panel_of(cells_of(3, 4))}, 2);
  result.panels[1].cells->values[5] = no_number;
  result.panels[1].cells->least = -1.0;
  result.panels[1].cells->is_diverging = true;
  return result;
}

nlohmann::ordered_json json_of(const figure& figure) {
  return nlohmann::ordered_json::parse(as_json(figure));
}

std::string refusal_of(const nlohmann::ordered_json& changed) {
  try {
    static_cast<void>(figure_from_json(changed.dump(), "f.json"));
  } catch (const bad_input& refused) {
    return refused.what();
  }
  return "none";
}

TEST(FigureJson, EveryFieldReadsBack) {
  const std::string text = as_json(full_figure());
  const figure again = figure_from_json(text, "f.json");
  EXPECT_EQ(as_json(again), text);
  const series& band = again.panels[0].series[0];
  EXPECT_EQ(band.y[1], 1e-300);
  EXPECT_TRUE(std::isnan(band.upper[1]));
  EXPECT_EQ(band.mark, mark::band);
  EXPECT_EQ(band.role, role::bound);
  EXPECT_EQ(band.colour, 3);
  EXPECT_EQ(band.tags.at("kernel"), "k");
  EXPECT_EQ(band.labels[1], "c");
  EXPECT_EQ(again.panels[0].x.scale, scale::log2);
  EXPECT_EQ(again.panels[0].x.ticks[0].label, "two");
  EXPECT_TRUE(again.panels[0].x.is_reversed);
  EXPECT_TRUE(again.panels[0].is_square);
  EXPECT_TRUE(std::isnan(again.panels[1].cells->values[5]));
  EXPECT_EQ(again.panels[1].cells->least, given<double>(-1.0));
  EXPECT_TRUE(again.panels[1].cells->is_diverging);
  EXPECT_EQ(again.columns, 2);
}

TEST(FigureJson, ManyCellsAreCodesWithinHalfAStep) {
  const figure drawing = figure_of({panel_of(cells_of(64, 65))});
  ASSERT_GT(std::size_t{64} * 65, most_plain_cells);
  const auto& wanted = drawing.panels[0].cells->values;
  EXPECT_TRUE(json_of(drawing)["panels"][0]["cells"]["values"].is_object());
  const figure again = figure_from_json(as_json(drawing), "f.json");
  const auto& got = again.panels[0].cells->values;
  ASSERT_EQ(got.size(), wanted.size());
  const double half_a_step = (wanted.back() - wanted.front()) / 254 / 2;
  for (std::size_t i = 0; i < wanted.size(); ++i)
    ASSERT_LE(std::abs(got[i] - wanted[i]), 1.001 * half_a_step) << i;
  EXPECT_EQ(as_json(again), as_json(figure_from_json(as_json(again), "f.json")));
}

TEST(FigureJson, EmptyCellsOfManyStayEmpty) {
  figure drawing = figure_of({panel_of(cells_of(64, 65))});
  drawing.panels[0].cells->values[7] = no_number;
  const figure again = figure_from_json(as_json(drawing), "f.json");
  EXPECT_TRUE(std::isnan(again.panels[0].cells->values[7]));
  EXPECT_FALSE(std::isnan(again.panels[0].cells->values[8]));
}

TEST(FigureJson, NamesOfAnyBytesAreUtf8) {
  figure figure = figure_of({panel_of({line_of("\xff\"\\\n</script>", {1, 2}, {1, 2})})});
  const std::string name = figure_from_json(as_json(figure), "f.json").panels[0].series[0].name;
  EXPECT_EQ(name, "\xef\xbf\xbd\"\\\n</script>");
}

TEST(FigureJson, WhatIsNoFigureIsRefusedByField) {
  const auto right = json_of(full_figure());
  EXPECT_EQ(refusal_of(right), "none");
  auto wrong = right;
  wrong["schema"] = "urn:ropewalk:figure:0";
  EXPECT_NE(refusal_of(wrong).find("schema is \"urn:ropewalk:figure:0\"; allowed: urn:ropewalk:figure:1"),
            std::string::npos);
  wrong = right;
  wrong["panels"][0]["series"][0]["mark"] = "spiral";
  EXPECT_NE(refusal_of(wrong).find("panels[0].series[0].mark is \"spiral\"; allowed: line"),
            std::string::npos)
      << refusal_of(wrong);
  for (const char* field : {"x", "y", "upper", "hints", "labels"}) {
    wrong = right;
    wrong["panels"][0]["series"][0][field].erase(0);
    EXPECT_NE(refusal_of(wrong).find("as many as x"), std::string::npos)
        << field << ": " << refusal_of(wrong);
  }
  wrong = right;
  wrong["panels"][1]["cells"]["values"].erase(0);
  EXPECT_NE(refusal_of(wrong).find("rows x columns"), std::string::npos) << refusal_of(wrong);
  wrong = right;
  wrong["panels"][0]["x"]["scale"] = nullptr;
  EXPECT_NE(refusal_of(wrong).find("panels[0].x.scale is missing"), std::string::npos) << refusal_of(wrong);
  wrong = right;
  wrong["columns"] = 0;
  EXPECT_NE(refusal_of(wrong).find("columns is 0; allowed: a whole number from 1 to 8"), std::string::npos);
}

TEST(FigureJson, PlacesThatAScaleHasNotAreRefused) {
  auto wrong = json_of(full_figure());
  for (const double bound : {0.0, -1.0}) {
    wrong["panels"][0]["x"]["least"] = bound;
    EXPECT_NE(refusal_of(wrong).find("panels[0].x.least is "), std::string::npos) << refusal_of(wrong);
  }
  wrong = json_of(full_figure());
  wrong["panels"][1]["y"]["scale"] = "log10";
  EXPECT_NE(refusal_of(wrong).find("panels[1].y.scale is \"log10\"; allowed: linear"), std::string::npos)
      << refusal_of(wrong);
}

TEST(FigureJson, CodesThatAreNoneAreRefused) {
  auto wrong = json_of(figure_of({panel_of(cells_of(64, 65))}));
  auto& codes = wrong["panels"][0]["cells"]["values"]["codes"];
  const std::string right = codes.get<std::string>();
  for (const std::string& text : {std::string("?") + right.substr(1), right.substr(4), std::string("AAAA"),
                                  std::string(), right.substr(0, right.size() - 1)}) {
    codes = text;
    EXPECT_NE(refusal_of(wrong).find("cells.values.codes"), std::string::npos) << text.substr(0, 20);
  }
}

}  // namespace
}  // namespace ropewalk::plot::figure_test
