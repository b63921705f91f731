#pragma once
// A figure as data, independent of how it is drawn: as SVG or PNG by gnuplot, as text for a terminal, or as
// JSON.

#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "ropewalk/config/given.hpp"

namespace ropewalk::plot {

enum class scale { linear, log2, log10 };

/// A labelled place on an axis.
struct tick {
  double at = 0;
  std::string label;
};

struct axis {
  std::string title;  // what it counts, with its unit in parentheses: "position (tokens)"
  plot::scale scale = plot::scale::linear;
  given<double> least{};  // bounds; without them, the data's
  given<double> most{};
  std::vector<tick> ticks{};  // empty: where the drawer sees fit
  bool is_reversed = false;   // grows to the left, or downwards
};

/// How a series is drawn. A band fills the area between y and upper.
enum class mark { line, dashed_line, points, line_with_points, steps, impulses, bars, band };

/// What a series stands for. It decides colour and weight in the style sheet, so that one meaning looks alike
/// in every figure.
enum class role {
  canonical,  // kernels of this library, or the exact function
  recipe,     // what engines do instead
  given,      // the user's own kernels
  bound,      // a proved bound
  reference,  // guides: the trained length, a ceiling
  other       // the next colour of the sheet
};

struct series {
  std::string name;  // in the legend; empty: not there
  plot::mark mark = plot::mark::line;
  plot::role role = plot::role::other;
  std::vector<double> x;              // NaN breaks a line
  std::vector<double> y;              // as many as x
  std::vector<double> upper{};        // of a band, as many as x
  std::vector<std::string> hints{};   // what a pointer over each point shows: as many as x, or none
  std::vector<std::string> labels{};  // what stands beside each point: as many as x, or none
  int colour =
      -1;  // of the sheet's list, for series that belong together, such as those of a dtype; -1: by role
  std::map<std::string, std::string> tags{};  // what a page filters by: {"kernel", ...}, {"dtype", ...}
};

/// A matrix of numbers as coloured cells. Row 0 is at the top, column 0 at the left.
struct heat_map {
  std::size_t rows = 0;
  std::size_t columns = 0;
  std::vector<double> values;  // [rows, columns]; NaN: an empty cell
  std::string title;           // of the colours, with the unit
  given<double> least{};       // of the colours; without them, the data's
  given<double> most{};
  bool is_diverging = false;  // colours of two hues that meet at 0
};

/// One pair of axes.
struct panel {
  std::string title{};
  axis x;
  axis y;
  std::vector<plot::series> series{};
  std::optional<heat_map> cells{};  // with it: x counts columns, y counts rows
  bool is_square = false;           // one unit is as long on both axes
};

struct figure {
  std::string name;  // as `ropewalk plot` takes it
  std::string title;
  std::string sentence;  // what to see in it
  std::string alt;       // the same for who cannot see it, with the numbers that matter
  std::string command;   // what makes it alone
  std::vector<panel> panels;
  int columns = 1;      // of panels side by side
  std::string where{};  // what was measured, and on which machine; a line below the title
};

/// Heat maps of more cells are written as codes of 8 bits, about as many as their colours tell apart.
inline constexpr std::size_t most_plain_cells = 4096;

/// The $id of the JSON. The number in it grows when a field goes or changes its meaning.
inline constexpr std::string_view figure_schema = "urn:ropewalk:figure:1";

/// The figure's data as JSON text: numbers that read back, null for NaN. The values of a heat map with more
/// than most_plain_cells cells are {"codes": TEXT, "least": L, "most": M} (cell_codes.hpp).
std::string as_json(const figure& figure);

/// The figure in JSON that as_json wrote.
///
/// throws  bad_input naming the file, the field and what is allowed
figure figure_from_json(const std::string& text, const std::string& file);

}  // namespace ropewalk::plot
