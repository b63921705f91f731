#pragma once
// Rotary numbers on several axes in decimal digits. Needs MPFR and GMP to link.

#include <string>
#include <vector>

#include "ropewalk/config/coordinate.hpp"
#include "ropewalk/config/rope_axes.hpp"

namespace ropewalk::reference {

/// Cosine of the angle of one pair, attention factor included, in decimal.
///
/// domain  one finite position for each axis: the index, which has the axis's coordinate;
///         0 <= pair < rotary_dim / 2
/// shape, error, throws   as rope_cos_digits
std::string rope_axes_cos_digits(const std::vector<double>& positions, int pair, const rope_axes& axes,
                                 const rope& config, int digits, const axis_coordinates& coordinates = {});

/// Sine of the angle; labels as rope_axes_cos_digits. It is 0 at angle 0 and at half turns.
std::string rope_axes_sin_digits(const std::vector<double>& positions, int pair, const rope_axes& axes,
                                 const rope& config, int digits, const axis_coordinates& coordinates = {});

}  // namespace ropewalk::reference
