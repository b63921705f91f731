#pragma once
// Cosines and sines averaged over cells, in Boost.Multiprecision numbers of any precision: the second,
// independent definition, which sums all cells of a token as an average pooling does.

#include <vector>

#include "ropewalk/config/pooled_axes.hpp"
#include "ropewalk/reference/rope_axes.hpp"

namespace ropewalk::reference {

/// Mean of the cosine and sine of one pair over all cells of a token, attention factor included.
///
/// shape   windows [axes]; scalars
/// domain  as many windows as axes, up to three of them; 0 <= pair < rotary_dim / 2
/// error   below 2^-digits of Number, plus the rounding errors of the sum
/// throws  std::invalid_argument naming the field and its value
template <real_number Number>
cos_sin<Number> pooled_axes_cos_sin(const std::vector<axis_window>& windows, int pair, const rope_axes& axes,
                                    const rope& config) {
  int cells = 1;
  for (const axis_window& window : windows) {
    validate(window);
    cells *= window.cells;
  }
  Number c(0), s(0);
  for (int cell = 0; cell < cells; ++cell) {
    std::vector<double> at;
    int rest = cell;
    for (const axis_window& window : windows) {
      at.push_back(window.index(rest % window.cells));
      rest /= window.cells;
    }
    const cos_sin<Number> phase = rope_axes_cos_sin<Number>(at, pair, axes, config);
    c += phase.cos, s += phase.sin;
  }
  return {c / cells, s / cells};
}

}  // namespace ropewalk::reference
