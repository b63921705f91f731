#pragma once
// Index codes in decimal digits. Needs MPFR and GMP to link.

#include <cstdint>
#include <string>

#include "ropewalk/config/index_code.hpp"

namespace ropewalk::reference {

/// One number of an integer, normalised or binary code, in decimal.
///
/// shape   as decimal_digits
/// error   correctly rounded, ties to even
/// throws  std::invalid_argument naming the field or digits
std::string index_code_digits(std::int64_t position, int column, const index_code& config, int digits);

/// One number of the sine-only code, in decimal; it is rational only at position 0.
///
/// domain  any finite position, 0 <= column < width
/// shape, error, throws   as index_code_digits; std::runtime_error if undecided
std::string sine_only_digits(double position, int column, const index_code& config, int digits);

}  // namespace ropewalk::reference
