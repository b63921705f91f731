#pragma once
// The range of an axis, and round places on it: the same for every way of drawing.

#include <string>
#include <vector>

#include "plot/figure.hpp"

namespace ropewalk::plot {

struct range {
  double least = 0;
  double most = 1;
};

/// The range itself, or one of a width that numbers of its size can be told apart in.
range with_width(const range& range);

/// Whether a number has a place on an axis: finite, and above 0 where the scale is logarithmic.
bool has_place(double value, plot::scale scale);

/// The ranges of a panel's axes: their bounds, else the data's, widened to leave a margin around points.
range x_range(const panel& panel);
range y_range(const panel& panel);

/// The share of an axis of `within` at which a value lies, 0 at its least.
double share_at(double value, const range& within, plot::scale scale);

/// The value at a share of an axis.
double value_at(double share, const range& within, plot::scale scale);

/// The places that the axis names; without any, at most `most` round ones.
std::vector<tick> ticks_of(const axis& axis, const range& within, int most);

/// A number as labels show it: 2,048, 0.001, 10⁻⁸.
std::string label_of(double value);

}  // namespace ropewalk::plot
