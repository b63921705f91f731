#pragma once
// A figure as data, independent of its form: SVG or PNG by gnuplot, text for a terminal, or JSON.

#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "ropewalk/config/given.hpp"

namespace ropewalk::plot {

enum class scale { linear, log2, log10 };

/// A labelled position on an axis.
struct tick {
  double at = 0;
  std::string label;
};

struct axis {
  std::string title;  // the quantity, with its unit in parentheses: "position (tokens)"
  plot::scale scale = plot::scale::linear;
  given<double> least{};  // bounds; default: those of the data
  given<double> most{};
  std::vector<tick> ticks{};  // empty: chosen by the renderer
  bool is_reversed = false;   // grows to the left, or downwards
};

/// How a series is drawn. A band fills the area between y and upper.
enum class mark { line, dashed_line, points, line_with_points, steps, impulses, bars, band };

/// Meaning of a series. It determines colour and weight in the style sheet, so that a meaning looks the same
/// in every figure.
enum class role {
  canonical,  // kernels of this library, or the exact function
  recipe,     // recipes of inference engines
  given,      // the user's own kernels
  bound,      // a proved bound
  reference,  // guides: the trained length, a ceiling
  other       // the next colour of the sheet
};

struct series {
  std::string name;  // in the legend; empty: no entry
  plot::mark mark = plot::mark::line;
  plot::role role = plot::role::other;
  std::vector<double> x;              // NaN breaks a line
  std::vector<double> y;              // as many as x
  std::vector<double> upper{};        // for a band, as many as x
  std::vector<std::string> hints{};   // tooltips of points: as many as x, or none
  std::vector<std::string> labels{};  // labels next to points: as many as x, or none
  // Index in the sheet's colours, for related series, such as those of a dtype; -1: by role.
  int colour = -1;
  std::map<std::string, std::string> tags{};  // filters of a page: {"kernel", ...}, {"dtype", ...}
};

/// A matrix of numbers as coloured cells. Row 0 is at the top, column 0 at the left.
struct heat_map {
  std::size_t rows = 0;
  std::size_t columns = 0;
  std::vector<double> values;  // [rows, columns]; NaN: an empty cell
  std::string title;           // title of the colour scale, with the unit
  given<double> least{};       // bounds of the colours; default: those of the data
  given<double> most{};
  bool is_diverging = false;  // colours of two hues that meet at 0
};

/// One pair of axes.
struct panel {
  std::string title{};
  axis x;
  axis y;
  std::vector<plot::series> series{};
  std::optional<heat_map> cells{};  // if set, x counts columns and y counts rows
  bool is_square = false;           // equal scales on both axes
};

struct figure {
  std::string name;  // name for `ropewalk plot`
  std::string title;
  std::string sentence;  // the figure's message
  std::string alt;       // the message with important numbers, for readers who cannot see the figure
  std::string command;   // the command that makes this figure
  std::vector<panel> panels;
  int columns = 1;      // number of panels side by side
  std::string where{};  // measured quantity and machine; shown below the title
};

/// Heat maps with more cells are written as 8-bit codes, about as many as their colours.
inline constexpr std::size_t most_plain_cells = 4096;

/// The $id of the JSON. Its number grows when a field is removed or changes its meaning.
inline constexpr std::string_view figure_schema = "urn:ropewalk:figure:1";

/// The figure's data as JSON text. Numbers read back unchanged; NaN becomes null. The values of a heat map
/// with more
/// than most_plain_cells cells are {"codes": TEXT, "least": L, "most": M} (cell_codes.hpp).
std::string as_json(const figure& figure);

/// Reads a figure from JSON that as_json wrote.
///
/// throws  bad_input naming the file, the field and the allowed values
figure figure_from_json(const std::string& text, const std::string& file);

}  // namespace ropewalk::plot
