#pragma once
// Index codes in decimal digits. Needs MPFR and GMP to link.

#include <cstdint>
#include <string>

#include "ropewalk/reference/index_code.hpp"
#include "ropewalk/reference/rope_digits.hpp"

namespace ropewalk::reference {

/// One number of an integer, normalised or binary code, in decimal.
///
/// shape   as decimal_digits
/// error   correctly rounded, ties to even
/// throws  std::invalid_argument naming the field or digits
inline std::string index_code_digits(std::int64_t position, int column, const index_code& config,
                                     int digits) {
  return decimal_digits(index_code_value(position, column, config), digits);
}

/// One number of the sine-only code, in decimal; rational at position 0 alone.
///
/// domain  any finite position, 0 <= column < width
/// shape, error, throws   as index_code_digits; std::runtime_error when undecided
inline std::string sine_only_digits(double position, int column, const index_code& config, int digits) {
  const auto evaluate = [&] { return sine_only_value<detail::run_time_number>(position, column, config); };
  if (position == 0) return decimal_digits(0, digits);
  constexpr int size_exponent = 1;  // sines are below 2
  return detail::decided_digits(digits, size_exponent, evaluate);
}

}  // namespace ropewalk::reference
