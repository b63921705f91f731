#pragma once
// The range of an axis, and round numbers on it; the same for every renderer.

#include <string>
#include <vector>

#include "plot/figure.hpp"

namespace ropewalk::plot {

struct range {
  double least = 0;
  double most = 1;
};

/// The range, widened if needed until its numbers differ as text.
range with_width(const range& range);

/// Whether an axis can show a number: finite, and above 0 if the scale is logarithmic.
bool has_place(double value, plot::scale scale);

/// The ranges of a panel's axes: their bounds, else those of the data with a margin around points.
range x_range(const panel& panel);
range y_range(const panel& panel);

/// The position of a value on an axis, as a fraction of `within`: 0 at its least.
double share_at(double value, const range& within, plot::scale scale);

/// The value at a fraction of an axis.
double value_at(double share, const range& within, plot::scale scale);

/// The axis's own ticks; if it has none, at most `most` round numbers.
std::vector<tick> ticks_of(const axis& axis, const range& within, int most);

/// A number in labels: 2,048, 0.001, 10⁻⁸.
std::string label_of(double value);

}  // namespace ropewalk::plot
