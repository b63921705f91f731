#pragma once
// Cosines and sines averaged over cells, in decimal digits. Needs MPFR and GMP to link.

#include <string>
#include <vector>

#include "ropewalk/config/pooled_axes.hpp"
#include "ropewalk/config/rope_axes.hpp"

namespace ropewalk::reference {

/// Mean of the cosine of one pair over all cells of a token, in decimal.
///
/// shape   windows [axes]
/// domain  as pooled_axes_cos_sin
/// shape, error, throws   as rope_cos_digits
std::string pooled_axes_cos_digits(const std::vector<axis_window>& windows, int pair, const rope_axes& axes,
                                   const rope& config, int digits);

/// Mean of the sine; labels as pooled_axes_cos_digits. It is 0 if every cell has index 0.
std::string pooled_axes_sin_digits(const std::vector<axis_window>& windows, int pair, const rope_axes& axes,
                                   const rope& config, int digits);

}  // namespace ropewalk::reference
