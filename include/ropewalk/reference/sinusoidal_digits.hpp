#pragma once
// Entries of the sinusoidal encoding in decimal digits. Needs MPFR and GMP to link.

#include <string>

#include "ropewalk/config/sinusoidal.hpp"

namespace ropewalk::reference {

/// One entry of the encoding, in decimal. Only the entries of the padding, of a zero channel and of row 0 are
/// rational.
///
/// shape   as decimal_digits
/// domain  any finite position, 0 <= channel < d_model, 1 <= digits <= largest_digits
/// error   correctly rounded
/// throws  std::invalid_argument naming the field or digits; std::runtime_error if undecided
std::string sinusoidal_digits(double position, int channel, const sinusoidal& config, int digits);

}  // namespace ropewalk::reference
