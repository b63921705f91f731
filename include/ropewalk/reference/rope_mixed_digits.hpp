#pragma once
// Numbers of a mixed rotary embedding in decimal digits. Needs MPFR and GMP to link.

#include <string>
#include <vector>

#include "ropewalk/config/rope_mixed.hpp"

namespace ropewalk::reference {

/// Cosine of the angle of one pair of one head, in decimal.
///
/// domain  one finite coordinate for each axis; 0 <= head < heads, 0 <= pair < pairs
/// shape, error, throws   as rope_cos_digits
std::string rope_mixed_cos_digits(const std::vector<double>& coordinates, int head, int pair,
                                  const rope_mixed& config, int digits);

/// Sine of the angle; labels as rope_mixed_cos_digits. It is 0 at angle 0.
std::string rope_mixed_sin_digits(const std::vector<double>& coordinates, int head, int pair,
                                  const rope_mixed& config, int digits);

}  // namespace ropewalk::reference
