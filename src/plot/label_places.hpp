#pragma once
// Positions for the labels of points, such that labels overlap neither each other nor points.

#include <cstddef>
#include <vector>

#include "plot/figure.hpp"
#include "plot/geometry.hpp"

namespace ropewalk::plot {

/// Left middle of a label, in the panel's coordinates.
struct placed_label {
  std::size_t series = 0;
  std::size_t point = 0;
  double x = 0;
  double y = 0;
};

/// Positions of a panel's labels inside its plot area `where`. Drops labels without room; the hints of their
/// points have the same text.
std::vector<placed_label> place_labels(const panel& panel, const box& where, const layout& in);

}  // namespace ropewalk::plot
