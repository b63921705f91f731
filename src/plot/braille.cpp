#include "plot/braille.hpp"

#include <algorithm>
#include <cstdlib>
#include <utility>

namespace ropewalk::plot {
namespace {

// The bit of each dot in U+2800 to U+28FF, by row and column.
constexpr std::uint8_t dot_bits[4][2] = {{0x01, 0x08}, {0x02, 0x10}, {0x04, 0x20}, {0x40, 0x80}};
constexpr std::uint8_t upper_dots = 0x01 | 0x08 | 0x02 | 0x10;

std::string braille_character(std::uint8_t dots) {
  const unsigned code = 0x2800U + dots;
  return {static_cast<char>(0xe0 | code >> 12), static_cast<char>(0x80 | (code >> 6 & 0x3f)),
          static_cast<char>(0x80 | (code & 0x3f))};
}

std::string ascii_character(std::uint8_t dots) {
  const bool is_up = (dots & upper_dots) != 0, is_down = (dots & ~upper_dots) != 0;
  return is_up && is_down ? ":" : is_up ? "'" : ".";
}

}  // namespace

void braille_canvas::dot(int x, int y, int colour) {
  if (x < 0 || y < 0 || x >= dots_across() || y >= dots_down()) return;
  cell& dots = at(x / 2, y / 4);
  dots.dots = static_cast<std::uint8_t>(dots.dots | dot_bits[y % 4][x % 2]);
  dots.colour = colour;
}

void braille_canvas::line(int x0, int y0, int x1, int y1, int colour) {
  const int steps = std::max({std::abs(x1 - x0), std::abs(y1 - y0), 1});
  for (int i = 0; i <= steps; ++i) {
    const double share = static_cast<double>(i) / steps;
    dot(x0 + static_cast<int>((x1 - x0) * share + (x1 < x0 ? -0.5 : 0.5)),
        y0 + static_cast<int>((y1 - y0) * share + (y1 < y0 ? -0.5 : 0.5)), colour);
  }
}

void braille_canvas::put(int column, int row, std::string glyph, int colour) {
  if (column < 0 || row < 0 || column >= columns_ || row >= rows_) return;
  at(column, row).glyph = std::move(glyph);
  at(column, row).colour = colour;
}

bool braille_canvas::is_free(int column, int row) const {
  return column >= 0 && row >= 0 && column < columns_ && row < rows_ && at(column, row).glyph.empty();
}

std::string braille_canvas::line_text(int row, bool has_unicode, bool has_colour) const {
  std::string text;
  int last = columns_;  // the rest is blank
  while (last > 0 && at(last - 1, row).dots == 0 && at(last - 1, row).glyph.empty()) --last;
  for (int column = 0; column < last; ++column) {
    const cell& dots = at(column, row);
    const std::string glyph = !dots.glyph.empty() ? dots.glyph
                              : dots.dots == 0    ? std::string(" ")
                              : has_unicode       ? braille_character(dots.dots)
                                                  : ascii_character(dots.dots);
    const bool is_coloured = has_colour && dots.colour != 0 && glyph != " ";
    text += is_coloured ? "\x1b[" + std::to_string(dots.colour) + "m" + glyph + "\x1b[0m" : glyph;
  }
  return text;
}

}  // namespace ropewalk::plot
