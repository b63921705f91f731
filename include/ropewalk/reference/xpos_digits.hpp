#pragma once
// xPos in decimal digits. Needs MPFR and GMP to link.

#include <cstdint>
#include <string>

#include "ropewalk/config/xpos.hpp"

namespace ropewalk::reference {

/// Cosine of one pair at one position, scale included, in decimal. At position 0 the result is the scale,
/// which may be rational.
///
/// domain  0 <= pair < rotary_dim / 2
/// shape, error, throws   as rope_cos_digits
std::string xpos_cos_digits(std::int64_t position, int pair, xpos_side side, const xpos& config, int digits);

/// Sine, scale included; labels as xpos_cos_digits. It is 0 at position 0.
std::string xpos_sin_digits(std::int64_t position, int pair, xpos_side side, const xpos& config, int digits);

}  // namespace ropewalk::reference
