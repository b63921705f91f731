#pragma once
// The divisor that a scaling rule applies to a frequency, in decimal digits. Needs MPFR and GMP to link.

#include <optional>
#include <string>

#include "ropewalk/config/rope.hpp"

namespace ropewalk::reference {

/// The divisor of one pair, in decimal; nullopt if the pair's frequency is 0 and its divisor infinite.
///
/// shape, domain, error, throws   as rope_inv_freq_digits
std::optional<std::string> rope_frequency_divisor_digits(int pair, const rope& config, int digits);

}  // namespace ropewalk::reference
