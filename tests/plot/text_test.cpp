// Figures as text: dots where the numbers are, names and units beside them, in any locale.

#include "plot/text.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <sstream>
#include <string>
#include <vector>

#include "plot/braille.hpp"
#include "plot/sample_figures.hpp"
#include "plot/ticks.hpp"

namespace ropewalk::plot::text_test {
namespace {

constexpr text_style small{.columns = 28, .rows = 4};

std::vector<std::string> text_lines(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);) lines.push_back(line);
  return lines;
}

int width(const std::string& line) {
  return static_cast<int>(
      std::count_if(line.begin(), line.end(), [](char letter) { return (letter & 0xc0) != 0x80; }));
}

TEST(Braille, DiagonalOfDots) {
  braille_canvas canvas(4, 2);
  canvas.line(0, 7, 7, 0, 0);
  EXPECT_EQ(canvas.line_text(0, true, false), "  ⡠⠊");
  EXPECT_EQ(canvas.line_text(1, true, false), "⡠⠊");
  EXPECT_EQ(canvas.line_text(0, false, false), "  .'");
}

TEST(Braille, EveryDotHasItsBit) {
  const char* characters[4][2] = {{"⠁", "⠈"}, {"⠂", "⠐"}, {"⠄", "⠠"}, {"⡀", "⢀"}};
  for (int y = 0; y < 4; ++y)
    for (int x = 0; x < 2; ++x) {
      braille_canvas canvas(1, 1);
      canvas.dot(x, y, 0);
      EXPECT_EQ(canvas.line_text(0, true, false), characters[y][x]);
    }
}

TEST(Braille, DotsOutsideAreDropped) {
  braille_canvas canvas(1, 1);
  for (const int x : {-1, 2}) canvas.dot(x, 0, 0);
  for (const int y : {-1, 4}) canvas.dot(0, y, 0);
  EXPECT_EQ(canvas.line_text(0, true, false), "");
}

TEST(FigureText, LineFromCornerToCorner) {
  panel panel = panel_of({line_of("", {0, 1}, {0, 1})});
  panel.y.least = 0.0;
  panel.y.most = 1.0;
  EXPECT_EQ(text_of(figure_of({panel}), small),
            "A sample\n"
            "What to see.\n"
            "\n"
            "up\n"
            "  1 │                 ⢀⣀⠤⠔⠒⠉\n"
            "    │           ⢀⣀⠤⠔⠒⠉⠁\n"
            "0.5 │     ⢀⣀⠤⠔⠒⠉⠁\n"
            "  0 │⣀⠤⠔⠒⠉⠁\n"
            "    └───────────────────────\n"
            "     0         0.5         1\n"
            "             across\n");
}

TEST(FigureText, PointsWithHintsAreNumberedAndListed) {
  series points = line_of("", {1, 2, 3}, {1, 2, 3}, mark::points);
  points.hints = {"the first", "the second", "the third"};
  const std::string text = text_of(figure_of({panel_of({points})}), {.columns = 60, .rows = 8});
  for (const char* line : {"  1  the first\n", "  2  the second\n", "  3  the third\n"})
    EXPECT_NE(text.find(line), text.npos) << text;
  const auto place = [&](char symbol) { return text.find(symbol, text.find("│")); };
  EXPECT_LT(place('3'), place('2'));  // the largest is the topmost
}

TEST(FigureText, LinesHaveASymbolAndTheirNameBelow) {
  const std::string text =
      text_of(figure_of({panel_of({line_of("rising", {1, 2}, {1, 2}), line_of("falling", {1, 2}, {2, 1})})}),
              {.columns = 60, .rows = 8});
  EXPECT_NE(text.find("  1  rising\n  2  falling\n"), text.npos) << text;
  const std::string area = text.substr(0, text.find("└"));
  EXPECT_EQ(area.rfind("│1"), area.rfind("│")) << text;  // at the lowest end of the one that rises
  EXPECT_NE(area.rfind("2\n"), area.npos) << text;
}

TEST(FigureText, FitsItsColumns) {
  panel panel =
      panel_of({line_of(std::string(200, 'n') + " and more words", {1, 1e6}, {1e-8, 1}, mark::points)});
  panel.series[0].hints = {"words that go on and on beyond the width of a narrow terminal window", "x"};
  panel.x.scale = panel.y.scale = scale::log10;
  for (const int columns : {40, 80, 120})
    for (const std::string& line : text_lines(text_of(figure_of({panel}), {.columns = columns, .rows = 10})))
      EXPECT_LE(width(line), columns) << line;
}

TEST(FigureText, WithoutUnicodeThereIsAsciiAlone) {
  panel panel = panel_of({line_of("é × 10⁻⁸", {1, 10}, {1e-12, 1})});
  panel.y.scale = scale::log10;
  text_style ascii = small;
  ascii.has_unicode = false;
  const std::string text = text_of(figure_of({panel, panel_of(cells_of(4, 4))}), ascii);
  EXPECT_TRUE(std::all_of(text.begin(), text.end(), [](char letter) { return letter > 0; })) << text;
  EXPECT_NE(text.find("10^-"), text.npos) << text;
  EXPECT_NE(text.find("? x 10^-8"), text.npos) << text;
}

TEST(FigureText, ColourOnlyWhereItIsWanted) {
  const figure figure = figure_of({panel_of({line_of("line", {1, 2}, {1, 2})})});
  EXPECT_EQ(text_of(figure, small).find('\x1b'), std::string::npos);
  text_style coloured = small;
  coloured.has_colour = true;
  EXPECT_NE(text_of(figure, coloured).find("\x1b[34m"), std::string::npos);
}

TEST(FigureText, ControlCharactersOfNamesAreDropped) {
  const std::string text = text_of(figure_of({panel_of({line_of("a\x1b[31mb\nc", {1, 2}, {1, 2})})}), small);
  EXPECT_NE(text.find("  1  a[31mbc\n"), text.npos) << text;
}

TEST(FigureText, CellsAreBlocksThatGrowWithTheirValues) {
  const std::vector<std::string> lines = text_lines(text_of(figure_of({panel_of(cells_of(4, 4))}), small));
  const auto top =
      std::find_if(lines.begin(), lines.end(), [](const auto& item) { return item.find("│") != item.npos; });
  ASSERT_NE(top, lines.end());
  EXPECT_EQ(top->find("█"), top->npos);  // row 0, with the smallest values, is at the top
  EXPECT_NE((top + 3)->find("█"), top->npos) << *(top + 3);
}

TEST(FigureText, NumbersOnAxes) {
  EXPECT_EQ(label_of(0), "0");
  EXPECT_EQ(label_of(131072), "131,072");
  EXPECT_EQ(label_of(-2048), "-2,048");
  EXPECT_EQ(label_of(-100), "-100");
  EXPECT_EQ(label_of(0.25), "0.25");
  EXPECT_EQ(label_of(1e-8), "10⁻⁸");
  EXPECT_EQ(label_of(5e-17), "5×10⁻¹⁷");
  EXPECT_EQ(label_of(1e9), "10⁹");
}

TEST(FigureText, NumbersThatLieTooCloseOrTooFarHaveFewTicks) {
  constexpr double huge = std::numeric_limits<double>::max();
  const std::vector<std::vector<double>> hard = {
      {1e17, 1e17 + 16}, {1e17, 1e17},   {huge, huge}, {-huge, huge},
      {5e-324, 1e-323},  {5e-324, huge}, {-2, -1},     {}};
  for (const scale drawn : {scale::linear, scale::log2, scale::log10})
    for (const std::vector<double>& numbers : hard) {
      panel panel = panel_of({line_of("line", numbers, numbers)});
      panel.x.scale = drawn;
      const range within = x_range(panel);
      EXPECT_LT(within.least, within.most) << testing::PrintToString(numbers);
      EXPECT_TRUE(std::isfinite(within.least) && std::isfinite(within.most))
          << testing::PrintToString(numbers);
      EXPECT_LE(ticks_of(panel.x, within, 8).size(), 30U) << testing::PrintToString(numbers);
    }
}

TEST(FigureText, RangesWithoutAPlaceHaveNoTicksAndNumbersThatAreNoneHaveLabels) {
  constexpr double infinite = std::numeric_limits<double>::infinity();
  for (const scale drawn : {scale::log2, scale::log10})
    for (const range& within :
         {range{0, 1}, range{-1, 1}, range{0, 0}, range{1, infinite}, range{no_number, 1}})
      EXPECT_TRUE(ticks_of({.title = {}, .scale = drawn}, within, 8).empty()) << within.least;
  EXPECT_EQ(label_of(infinite), "inf");
  EXPECT_EQ(label_of(-infinite), "-inf");
  EXPECT_EQ(label_of(no_number), "nan");
}

TEST(FigureText, TicksAreRoundAndNotTooMany) {
  const auto labels = [](const axis& axis, const range& within, int most) {
    std::string text;
    for (const tick& tick : ticks_of(axis, within, most)) text += tick.label + " ";
    return text;
  };
  EXPECT_EQ(labels({}, {0, 10}, 6), "0 2 4 6 8 10 ");
  EXPECT_EQ(labels({}, {-0.1, 1.1}, 3), "0 0.5 1 ");
  EXPECT_EQ(labels({.title = {}, .scale = scale::log10}, {1, 1e6}, 7), "1 10 100 1,000 10,000 100,000 10⁶ ");
  EXPECT_EQ(labels({.title = {}, .scale = scale::log10}, {1, 1e6}, 4), "1 100 10,000 10⁶ ");
  EXPECT_EQ(labels({.title = {}, .scale = scale::log10}, {0.9, 12}, 4), "1 2 5 10 ");
  EXPECT_EQ(labels({.title = {}, .scale = scale::log2}, {1, 65536}, 5), "1 16 256 4,096 2¹⁶ ");
}

}  // namespace
}  // namespace ropewalk::plot::text_test
