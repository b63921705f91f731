#pragma once
// Rotary numbers on several axes in decimal digits. Needs MPFR and GMP to link.

#include <cstdint>
#include <string>
#include <vector>

#include "ropewalk/config/rope_axes.hpp"

namespace ropewalk::reference {

/// Cosine of the angle of one pair, attention factor included, in decimal.
///
/// domain  one position for each axis; 0 <= pair < rotary_dim / 2
/// shape, error, throws   as rope_cos_digits
std::string rope_axes_cos_digits(const std::vector<std::int32_t>& positions, int pair, const rope_axes& axes,
                                 const rope& config, int digits);

/// Sine of the angle, likewise; 0 at angle 0.
std::string rope_axes_sin_digits(const std::vector<std::int32_t>& positions, int pair, const rope_axes& axes,
                                 const rope& config, int digits);

}  // namespace ropewalk::reference
