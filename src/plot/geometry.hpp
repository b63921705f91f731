#pragma once
// Where the panels of a figure stand, their axes' titles and their legends.

#include <cstddef>
#include <vector>

#include "plot/figure.hpp"

namespace ropewalk::plot {

/// Where a legend stands: its left top corner.
struct legend_box {
  double left = 0;
  double top = 0;
  int rows = 0;
};

/// One panel's plot area and legend, as shares of the figure from its left and its bottom.
struct box {
  double left = 0;
  double right = 1;
  double bottom = 0;
  double top = 1;
  double y_title = 0;  // the middle of the y axis's title
  legend_box legend{};
  double bar_gap = 0;  // of a heat map's colours
  double bar_width = 0;
  int x_ticks = 8;  // as many as have room
  int y_ticks = 6;
};

/// A series of a figure.
struct series_place {
  std::size_t panel = 0;
  std::size_t series = 0;
};

/// Where everything stands. Panels side by side share one legend below all of them, with each name once.
struct layout {
  int width = 0;  // pixels
  int height = 0;
  double title_left = 0;
  double title_top = 1;
  double where_top = 1;  // of the line below the title
  std::vector<box> panels;
  std::vector<std::vector<series_place>> legends{};  // drawn with each panel
};

layout layout_of(const figure& figure, bool has_title);

}  // namespace ropewalk::plot
