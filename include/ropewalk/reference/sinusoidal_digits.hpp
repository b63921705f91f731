#pragma once
// Entries of the sinusoidal encoding in decimal digits. Needs MPFR and GMP to link.

#include <string>

#include "ropewalk/reference/rope_digits.hpp"
#include "ropewalk/reference/sinusoidal.hpp"

namespace ropewalk::reference {

/// One entry of the encoding, in decimal. Rational are those of the padding, of a zero channel and of row 0.
///
/// shape   as decimal_digits
/// domain  any finite position, 0 <= channel < d_model, 1 <= digits <= largest_digits
/// error   correctly rounded
/// throws  std::invalid_argument naming the field or digits; std::runtime_error when undecided
inline std::string sinusoidal_digits(double position, int channel, const sinusoidal& config, int digits) {
  const auto evaluate = [&] { return sinusoidal_entry<detail::run_time_number>(position, channel, config); };
  const bool is_row_zero =
      config.padding_idx.is_given ? position == -1.0 - config.padding_idx.value : position == 0;
  const bool is_padding = config.padding_idx.is_given && position == -1;
  const bool is_zero_channel = config.d_model % 2 != 0 && channel == config.d_model - 1;
  if (is_row_zero || is_padding || is_zero_channel)
    return decimal_digits(detail::rational_of(evaluate()), digits);
  constexpr int size_exponent = 1;  // sines and cosines are below 2
  return detail::decided_digits(digits, size_exponent, evaluate);
}

}  // namespace ropewalk::reference
