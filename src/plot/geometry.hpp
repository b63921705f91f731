#pragma once
// Layout of a figure: positions of its panels, axis titles and legends.

#include <cstddef>
#include <vector>

#include "plot/figure.hpp"

namespace ropewalk::plot {

/// Top left corner of a legend.
struct legend_box {
  double left = 0;
  double top = 0;
  int rows = 0;
};

/// One panel's plot area and legend, as fractions of the figure from its left and its bottom.
struct box {
  double left = 0;
  double right = 1;
  double bottom = 0;
  double top = 1;
  double y_title = 0;  // centre of the y axis's title
  legend_box legend{};
  double bar_gap = 0;  // of a heat map's colour bar
  double bar_width = 0;
  int x_ticks = 8;  // as many as fit
  int y_ticks = 6;
};

/// A series of a figure.
struct series_place {
  std::size_t panel = 0;
  std::size_t series = 0;
};

/// Positions of all parts. Panels side by side share one legend below them, with each name once.
struct layout {
  int width = 0;  // pixels
  int height = 0;
  double title_left = 0;
  double title_top = 1;
  double where_top = 1;  // top of the line below the title
  std::vector<box> panels;
  std::vector<std::vector<series_place>> legends{};  // drawn with each panel
};

layout layout_of(const figure& figure, bool has_title);

}  // namespace ropewalk::plot
