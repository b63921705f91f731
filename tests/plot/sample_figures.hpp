#pragma once
// Figures for tests of drawing.

#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "plot/figure.hpp"

namespace ropewalk::plot {

inline figure figure_of(std::vector<panel> panels, int columns = 1) {
  return {.name = "sample-figure",
          .title = "A sample",
          .sentence = "What to see.",
          .alt = "The numbers that matter.",
          .command = "ropewalk plot sample",
          .panels = std::move(panels),
          .columns = columns};
}

inline series line_of(std::string name, std::vector<double> x, std::vector<double> y,
                      mark drawn = mark::line) {
  return {.name = std::move(name), .mark = drawn, .x = std::move(x), .y = std::move(y)};
}

inline panel panel_of(std::vector<series> drawn) {
  panel result{.title = {}, .x = {.title = "across"}, .y = {.title = "up"}};
  result.series = std::move(drawn);
  return result;
}

/// Cells whose values grow by row and column.
inline heat_map cells_of(std::size_t rows, std::size_t columns) {
  heat_map cells{.rows = rows, .columns = columns, .values = {}, .title = "value"};
  for (std::size_t i = 0; i < rows * columns; ++i)
    cells.values.push_back(static_cast<double>(i / columns) + 0.5 * static_cast<double>(i % columns));
  return cells;
}

inline panel panel_of(heat_map cells) {
  panel result = panel_of(std::vector<series>{});
  result.cells = std::move(cells);
  return result;
}

inline constexpr double no_number = std::numeric_limits<double>::quiet_NaN();

}  // namespace ropewalk::plot
