#pragma once
// Places for the labels of points, where they cover neither each other nor a point.

#include <cstddef>
#include <vector>

#include "plot/figure.hpp"
#include "plot/geometry.hpp"

namespace ropewalk::plot {

/// A label's left middle, in the panel's own numbers.
struct placed_label {
  std::size_t series = 0;
  std::size_t point = 0;
  double x = 0;
  double y = 0;
};

/// Places of a panel's labels inside its plot area `where` of a figure of that size. Labels without room are
/// left out: their points' hints still say them.
std::vector<placed_label> place_labels(const panel& panel, const box& where, const layout& in);

}  // namespace ropewalk::plot
