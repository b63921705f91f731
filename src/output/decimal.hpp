#pragma once
// Numbers of a format as text: the shortest decimals that read back to the same value, and the bits.

#include <charconv>
#include <cmath>
#include <cstdint>
#include <limits>
#include <string>
#include <type_traits>

#include "ropewalk/numeric/format.hpp"

namespace ropewalk::output {

/// Value of a number of any supported format as a binary64: exact.
template <floating_format Float>
double to_double(bits_of<Float> bits) {
  if constexpr (std::is_same_v<Float, double> || std::is_same_v<Float, float>) {
    return static_cast<double>(from_bits<Float>(bits));
  } else {
    if (is_nan<Float>(bits)) return std::numeric_limits<double>::quiet_NaN();
    const double sign = is_negative<Float>(bits) ? -1.0 : 1.0;
    if (is_infinite<Float>(bits)) return sign * std::numeric_limits<double>::infinity();
    const decoded number = decode<Float>(bits);
    const auto power = static_cast<std::uint64_t>(number.exponent + format<double>::bias);
    return sign * static_cast<double>(number.significand) *
           from_bits<double>(power << (format<double>::precision - 1));
  }
}

/// Bits in hexadecimal, zero-padded to the width of the format.
template <floating_format Float>
std::string hexadecimal(bits_of<Float> bits) {
  constexpr int digits = format<Float>::total_bits / 4;
  std::string text(static_cast<std::size_t>(digits), '0');
  for (int i = digits; i-- > 0; bits = static_cast<bits_of<Float>>(bits >> 4))
    text[static_cast<std::size_t>(i)] = "0123456789abcdef"[bits & 15];
  return text;
}

/// The fewest significant digits that read back to the same number, whether a reader rounds the decimal
/// straight to the format or to binary64 first. Never more than 17.
///
/// domain  finite bits
template <floating_format Float>
std::string shortest_decimal(bits_of<Float> bits) {
  char text[40];
  const double value = to_double<Float>(bits);
  const auto written = [&](auto... precision) {
    return std::to_chars(text, text + sizeof text, value, precision...).ptr;
  };
  if constexpr (format<Float>::precision < 53) {
    // Midpoints to the neighbours are exact in binary64: a decimal strictly between them rounds to `bits`.
    const auto size = magnitude<Float>(bits);
    const double above = to_double<Float>(static_cast<bits_of<Float>>(size + 1));
    const double below = size == 0 ? -above : to_double<Float>(static_cast<bits_of<Float>>(size - 1));
    // Values overflow from half a spacing above the largest finite number on.
    const double upper = !std::isfinite(above) ? std::abs(value) + (std::abs(value) - below) / 2
                                               : (std::abs(value) + above) / 2;
    const double lower = (std::abs(value) + below) / 2;
    for (int digits = 1; digits < 17; ++digits) {
      char* const end = written(std::chars_format::general, digits);
      double read = 0;
      std::from_chars(text, end, read);
      if (std::abs(read) > lower && std::abs(read) < upper) return std::string(text, end);
    }
  }
  return std::string(text, written());
}

}  // namespace ropewalk::output
