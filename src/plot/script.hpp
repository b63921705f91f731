#pragma once
// A figure as a gnuplot script, with the part of the figure that each of its plots draws.

#include <cstddef>
#include <string>
#include <vector>

#include "plot/figure.hpp"

namespace ropewalk::plot {

enum class canvas { svg, png };

/// Place of an SVG: a separate file, with title and paper, or inline in a page that has both.
enum class place { alone, page };

/// The part drawn by one `plot` of the script. `points` has indices into the series, in drawing order.
struct plotted {
  enum class part { data, hints, labels, legend, cells, cells_stand_in, nothing };
  part what = part::data;
  std::size_t panel = 0;
  std::size_t series = 0;
  std::vector<std::size_t> points{};
};

struct script {
  std::string text;
  std::vector<plotted> plots;  // in the script's order
  int width = 0;               // of the SVG, in pixels
  int height = 0;
};

/// `id` begins every id in the SVG: letters, digits and underscores.
script script_of(const figure& figure, canvas on, place where, const std::string& id);

}  // namespace ropewalk::plot
