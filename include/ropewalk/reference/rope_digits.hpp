#pragma once
// Rotary numbers in decimal, correctly rounded to any number of digits. Needs MPFR and GMP to link.

#include <concepts>
#include <cstdint>
#include <string>

#include "ropewalk/config/rope.hpp"

namespace ropewalk::reference {

/// Inverse frequency of one pair, in decimal.
///
/// shape   one string of `digits` significant digits, as decimal_digits writes it
/// units   radians per position
/// domain  0 <= pair < rotary_dim / 2, 1 <= digits <= largest_digits
/// error   correctly rounded, ties to even
/// throws  std::invalid_argument naming the field and its value; std::runtime_error if undecided
std::string rope_inv_freq_digits(int pair, const rope& config, int digits);

/// Inverse frequency in turns per position. It is irrational unless 0, because it is divided by 2 pi.
std::string rope_turns_digits(int pair, const rope& config, int digits);

/// The attention factor in decimal; labels as rope_inv_freq_digits, units none.
std::string rope_attention_factor_digits(const rope& config, int digits);

/// Cosine of the angle of one pair at one position, attention factor included, in decimal; labels as
/// rope_inv_freq_digits. The result can be rational only at angle 0, where it is the attention factor.
std::string rope_cos_digits(std::int64_t position, int pair, const rope& config, int digits);
std::string rope_cos_digits(double position, int pair, const rope& config, int digits);

/// Sine of the angle; labels as rope_cos_digits. It is 0 at angle 0.
std::string rope_sin_digits(std::int64_t position, int pair, const rope& config, int digits);
std::string rope_sin_digits(double position, int pair, const rope& config, int digits);

/// Overload for a position of any integer type.
std::string rope_cos_digits(std::integral auto position, int pair, const rope& config, int digits) {
  return rope_cos_digits(static_cast<std::int64_t>(position), pair, config, digits);
}
std::string rope_sin_digits(std::integral auto position, int pair, const rope& config, int digits) {
  return rope_sin_digits(static_cast<std::int64_t>(position), pair, config, digits);
}

}  // namespace ropewalk::reference
