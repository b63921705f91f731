// An SVG says which group is which series, whatever names hold, and holds nothing that runs or loads.

#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <filesystem>
#include <fstream>
#include <functional>
#include <pugixml.hpp>
#include <set>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

#include "input/bad_input.hpp"
#include "plot/cells_image.hpp"
#include "plot/drawing.hpp"
#include "plot/geometry.hpp"
#include "plot/gnuplot.hpp"
#include "plot/palette.hpp"
#include "plot/sample_figures.hpp"
#include "plot/short_path.hpp"
#include "plot/style.hpp"
#include "plot/ticks.hpp"

namespace ropewalk::plot::svg_test {
namespace {

class Svg : public testing::Test {
 protected:
  void SetUp() override {
    try {
      require_gnuplot();
    } catch (const missing_requirement& missing) {
      GTEST_SKIP() << missing.what();
    }
  }

  /// Draws and reads again, as a browser would.
  void draw(const figure& figure, place where = place::alone) {
    text = svg_of(figure, where);
    const pugi::xml_parse_result read = document.load_string(text.c_str(), pugi::parse_full);
    ASSERT_TRUE(read) << read.description();
    visit([&](pugi::xml_node node) { elements.push_back(node); });
  }

  void visit(const std::function<void(pugi::xml_node)>& what) {
    struct walker : pugi::xml_tree_walker {
      explicit walker(const std::function<void(pugi::xml_node)>& to) : call(to) {}
      bool for_each(pugi::xml_node& node) override {
        if (node.type() == pugi::node_element) call(node);
        return true;
      }
      const std::function<void(pugi::xml_node)>& call;
    } all(what);
    document.traverse(all);
  }

  /// Groups of a series and part.
  std::vector<pugi::xml_node> groups(std::string_view number, std::string_view part) const {
    std::vector<pugi::xml_node> groups;
    for (const pugi::xml_node element : elements)
      if (element.attribute("data-series").value() == number &&
          element.attribute("data-part").value() == part)
        groups.push_back(element);
    return groups;
  }

  static std::vector<std::string> hints_in(pugi::xml_node group) {
    std::vector<std::string> hints;
    for (const pugi::xpath_node& node :
         group.select_nodes(".//*[local-name()='use' or local-name()='circle']/*[local-name()='title']"))
      hints.emplace_back(node.node().text().get());
    return hints;
  }

  bool has_text(const std::string& wanted) const {
    return std::any_of(elements.begin(), elements.end(), [&](pugi::xml_node node) {
      return std::string(node.text().get()).find(wanted) != wanted.npos;
    });
  }

  std::string text;
  pugi::xml_document document;
  std::vector<pugi::xml_node> elements;
};

/// The colours of an image's pixels, as libgd in gnuplot reads them; -1 for transparent ones.
std::vector<int> pixels_of(const cells_image& image) {
  const std::string file = testing::TempDir() + "ropewalk_cells_" + std::to_string(::getpid()) + ".png";
  std::ofstream(file, std::ios::binary)
      .write(reinterpret_cast<const char*>(image.png.data()), static_cast<std::streamsize>(image.png.size()));
  const std::string text =
      run_gnuplot("set table\nplot '" + file + "' binary filetype=png flipy using 1:2:3:4 with rgbalpha\n");
  std::filesystem::remove(file);
  std::vector<int> pixels;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    std::istringstream words(line);
    double x = 0, y = 0, red = 0, green = 0, blue = 0, alpha = 0;
    if (line.empty() || line[0] == '#' || !(words >> x >> y >> red >> green >> blue >> alpha)) continue;
    pixels.push_back(alpha <= 1 ? -1 : static_cast<int>(65536 * red + 256 * green + blue));
  }
  return pixels;
}

series hinted_points() {
  series result = line_of("points", {1, 2, 3, 50}, {1, no_number, 2, 3}, mark::points);
  result.hints = {"first", "nowhere", "third", "outside"};
  result.labels = {"here", "", "", ""};
  result.tags = {{"kernel", "cpu-turns"}, {"dtype", "f32"}};
  return result;
}

TEST_F(Svg, SeriesAreGroupsWithTheirNumberAndTags) {
  panel first = panel_of({line_of("line", {1, 2, 3}, {1, 3, 2}), hinted_points()});
  first.x.most = 4.0;
  draw(figure_of({first, panel_of({line_of("other", {0, 1}, {0, 1})})}, 2));
  ASSERT_EQ(groups("0", "data").size(), 1U);
  ASSERT_EQ(groups("1", "data").size(), 1U);
  ASSERT_EQ(groups("2", "data").size(), 1U);
  const pugi::xml_node points = groups("1", "data")[0];
  EXPECT_STREQ(points.attribute("data-panel").value(), "0");
  EXPECT_STREQ(points.attribute("data-kernel").value(), "cpu-turns");
  EXPECT_STREQ(points.attribute("data-dtype").value(), "f32");
  EXPECT_STREQ(groups("2", "data")[0].attribute("data-panel").value(), "1");
  EXPECT_EQ(groups("1", "legend").size(), 1U);
  EXPECT_STREQ(groups("1", "labels").at(0).select_node(".//*[local-name()='text']").node().text().get(),
               "here");
}

TEST_F(Svg, HintsStandOnTheirPoints) {
  panel panel = panel_of({hinted_points()});
  panel.x.most = 4.0;
  draw(figure_of({panel}));
  EXPECT_EQ(hints_in(groups("0", "data").at(0)), (std::vector<std::string>{"first", "third"}));
}

TEST_F(Svg, LinesHaveUnseenPointsForTheirHints) {
  series line = line_of("line", {1, 2}, {1, 2});
  line.hints = {"a", "b"};
  draw(figure_of({panel_of({line})}));
  const pugi::xml_node targets = groups("0", "hints").at(0);
  EXPECT_EQ(hints_in(targets), (std::vector<std::string>{"a", "b"}));
  EXPECT_STREQ(targets.attribute("opacity").value(), "0");
}

TEST_F(Svg, NamesHaveNoMeaningToGnuplotOrBrowsers) {
  const std::vector<std::string> hostile = {"`touch /tmp/x` $(id) @data {/Bold x}^2_3 %g", "'\"\\n\\\\ ''",
                                            "<img src=x onerror=alert(1)> &amp; ]]>",
                                            "\xc3\xa9\xe2\x82\xac </svg><script>alert(1)</script>"};
  std::vector<series> drawn;
  for (const std::string& name : hostile) {
    series series = line_of(name, {1, 2}, {1, static_cast<double>(drawn.size())}, mark::points);
    series.hints = {name, name};
    series.tags = {{"kernel", name}, {"on\"click", "alert(1)"}};
    drawn.push_back(series);
  }
  panel panel = panel_of(drawn);
  panel.title = hostile[0];
  panel.x.title = hostile[1];
  panel.x.ticks = {{1, hostile[0]}, {2, hostile[2]}};
  figure figure = figure_of({panel});
  figure.title = hostile[2];
  figure.alt = hostile[3];
  draw(figure);
  for (const std::string& name : hostile) EXPECT_TRUE(has_text(name)) << name;
  for (std::size_t i = 0; i < hostile.size(); ++i)
    EXPECT_EQ(groups(std::to_string(i), "data").at(0).attribute("data-kernel").value(), hostile[i]);
}

TEST_F(Svg, WhatXmlExcludesIsEscaped) {
  const std::string name =
      "a\x01\x1b"
      "b\xef\xbf\xbe"
      "c\xff"
      "d";
  series series = line_of(name, {1, 2}, {1, 2}, mark::points);
  series.hints = series.labels = {name, name};
  series.tags = {{"kernel", name}};
  figure figure = figure_of({panel_of({series})});
  figure.title = figure.alt = figure.panels[0].title = name;
  const std::string svg = svg_of(figure);
  const bool has_control = std::any_of(
      svg.begin(), svg.end(), [](char letter) { return letter >= 0 && letter < ' ' && letter != '\n'; });
  EXPECT_FALSE(has_control);
  for (const char* wrong : {"&#0", "&#1;", "&#2", "\xef\xbf\xbe", "\xff"})
    EXPECT_EQ(svg.find(wrong), svg.npos) << wrong;
}

TEST_F(Svg, NothingRunsOrLoads) {
  figure figure = figure_of({panel_of({hinted_points()}), panel_of(cells_of(5, 5))});
  figure.panels[0].series[0].tags["onclick"] = "alert(1)";
  for (const place where : {place::alone, place::page}) {
    elements.clear();
    draw(figure, where);
    for (const pugi::xml_node element : elements) {
      const std::string_view name = element.name();
      EXPECT_TRUE(name != "script" && name != "foreignObject" && name != "a" && name != "animate") << name;
      for (const pugi::xml_attribute attribute : element.attributes()) {
        const std::string_view key = attribute.name(), value = attribute.value();
        EXPECT_FALSE(key.starts_with("on") || key == "style") << key;
        if (key == "href" || key == "xlink:href") {
          EXPECT_TRUE(value.starts_with("#") || value.starts_with("data:image/png;base64,"))
              << value.substr(0, 40);
        }
      }
    }
  }
}

TEST_F(Svg, HeatMapIsAnImageAndNotRectangles) {
  draw(figure_of({panel_of(cells_of(120, 90))}));
  const auto images = document.select_nodes("//*[local-name()='image']");
  ASSERT_EQ(images.size(), 2U);  // the cells, and the bar of their colours
  EXPECT_TRUE(
      std::string_view(images[0].node().attribute("xlink:href").value()).starts_with("data:image/png"));
  EXPECT_LT(elements.size(), 400U);
}

/// A PNG is right if gnuplot reads it and draws the same pixels as of the numbers.
TEST_F(Svg, ImageHoldsTheCells) {
  for (const bool is_smooth_down : {true, false}) {
    heat_map cells = cells_of(6, 9);
    for (std::size_t i = 0; i < cells.values.size(); ++i)
      cells.values[i] = static_cast<double>(is_smooth_down ? i % 9 * 20 + i / 9 : i / 9 * 20 + i % 9);
    cells.values[12] = no_number;
    const cells_image made = image_of(cells);
    EXPECT_EQ(made.is_transposed, is_smooth_down);
    const std::vector<int> pixels = pixels_of(made);
    const range within = colour_range(cells);
    for (std::size_t i = 0; i < cells.values.size(); ++i) {
      const std::size_t at = made.is_transposed ? i % 9 * 6 + i / 9 : i;
      if (i == 12) {
        EXPECT_EQ(pixels.at(at), -1);
        continue;
      }
      const double code = std::round((cells.values[i] - within.least) / (within.most - within.least) * 254);
      const auto wanted = palette_colour(code / 254, false);
      EXPECT_EQ(pixels.at(at), wanted[0] << 16 | wanted[1] << 8 | wanted[2]) << i;
    }
  }
}

TEST_F(Svg, BarsOfColoursAreImages) {
  draw(figure_of({panel_of(cells_of(5, 5)), panel_of(cells_of(4, 4))}));
  EXPECT_EQ(document.select_nodes("//*[local-name()='image']").size(), 4U);
  EXPECT_TRUE(document.select_nodes("//*[local-name()='polygon']").empty());
}

TEST(ShortPath, EndsWhereThePathEnds) {
  EXPECT_EQ(short_path("M59.15,377.60 L211.32,218.05 L211.40,217.02 "), "M59.2,377.6l152.1-159.5 .1-1.1");
  EXPECT_EQ(short_path("M1.00,2.00 L1.00,3.00 M0.04,0.00 L1.00,1.00 Z"), "M1,2l0,1M0,0l1,1z");
  EXPECT_EQ(short_path("M1,1 C1,2 3,4 5,6"), std::nullopt);
}

TEST_F(Svg, IdsOfFiguresDifferAndLinksFindThem) {
  std::set<std::string> ids;
  for (const char* name : {"one", "other-figure"}) {
    figure figure = figure_of({panel_of({hinted_points()})});
    figure.name = name;
    elements.clear();
    draw(figure, place::page);
    std::set<std::string> own;
    for (const pugi::xml_node element : elements)
      if (element.attribute("id")) {
        EXPECT_TRUE(ids.insert(element.attribute("id").value()).second) << element.attribute("id").value();
        own.insert(element.attribute("id").value());
      }
    for (const pugi::xml_node element : elements)
      if (const std::string link = element.attribute("xlink:href").value(); link.starts_with("#")) {
        EXPECT_TRUE(own.contains(link.substr(1))) << link;
      }
  }
}

TEST_F(Svg, TextForWhoCannotSeeIt) {
  draw(figure_of({panel_of({hinted_points()})}));
  const pugi::xml_node svg = document.child("svg");
  EXPECT_STREQ(svg.attribute("role").value(), "img");
  EXPECT_STREQ(svg.child("title").text().get(), "A sample");
  EXPECT_STREQ(svg.child("desc").text().get(), "The numbers that matter.");
  EXPECT_EQ(std::string(svg.attribute("aria-labelledby").value()),
            std::string(svg.child("title").attribute("id").value()) + " " +
                svg.child("desc").attribute("id").value());
}

TEST_F(Svg, EveryColourIsOfTheSheetAndHasAClass) {
  draw(figure_of({panel_of({hinted_points(), line_of("l", {1, 2}, {1, 2})})}));
  EXPECT_EQ(text.find("rgb("), text.npos);
  EXPECT_EQ(text.find("\"black\""), text.npos);
  EXPECT_NE(text.find("figure-c-"), text.npos);
  EXPECT_NE(text.find("figure-f-ink"), text.npos);
  EXPECT_NE(text.find("prefers-color-scheme: dark"), text.npos);
  elements.clear();
  draw(figure_of({panel_of({hinted_points()})}), place::page);
  EXPECT_EQ(text.find("<style"), text.npos);
  EXPECT_EQ(text.find("A sample</text>"), text.npos);  // the page has the title
}

TEST_F(Svg, NumbersThatAreMissingBreakALine) {
  const auto strokes = [&](const std::vector<double>& y) {
    elements.clear();
    draw(figure_of({panel_of({line_of("line", {1, 2, 3, 4, 5}, y)})}));
    std::string path;
    for (const pugi::xml_node node :
         groups("0", "data").at(0).select_node(".//path/..").node().children("path"))
      path += node.attribute("d").value();
    return std::count(path.begin(), path.end(), 'M') + std::count(path.begin(), path.end(), 'm');
  };
  EXPECT_EQ(strokes({1, 2, no_number, 4, 5}), strokes({1, 2, 3, 4, 5}) + 1);
}

TEST(Layout, OneUnitIsAsLongOnBothAxesOfASquarePanel) {
  panel panel = panel_of({line_of("line", {0, 3}, {0, 1})});
  panel.is_square = true;
  const layout in = layout_of(figure_of({panel}), false);
  const box& at = in.panels.at(0);
  const range x = x_range(panel), y = y_range(panel);
  const double across = (at.right - at.left) * in.width / (x.most - x.least);
  const double up = (at.top - at.bottom) * in.height / (y.most - y.least);
  EXPECT_FLOAT_EQ(static_cast<float>(across), static_cast<float>(up));
}

TEST_F(Svg, PanelsWithoutDataAreDrawn) {
  draw(figure_of({panel_of({line_of("nothing", {}, {}), line_of("nowhere", {no_number}, {1})})}));
  EXPECT_EQ(groups("0", "legend").size(), 1U);
}

TEST_F(Svg, OutputOfGnuplotIsChecked) {
  EXPECT_THROW(static_cast<void>(run_gnuplot("plot nonsense nonsense\n")), std::runtime_error);
  EXPECT_THROW(static_cast<void>(run_gnuplot("# nothing\n")), std::runtime_error);
}

TEST_F(Svg, PngIsTwiceAsLarge) {
  const std::string png = png_of(figure_of({panel_of({hinted_points()})}));
  const auto word = [&](std::size_t at) {
    return static_cast<unsigned char>(png[at]) << 24 | static_cast<unsigned char>(png[at + 1]) << 16 |
           static_cast<unsigned char>(png[at + 2]) << 8 | static_cast<unsigned char>(png[at + 3]);
  };
  EXPECT_EQ(word(16), png_scale * figure_width);
}

}  // namespace
}  // namespace ropewalk::plot::svg_test
