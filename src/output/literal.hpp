#pragma once
// Numbers of a format as literals of C, GLSL, Python and Rust.

#include <charconv>
#include <cmath>
#include <cstdint>
#include <string>

#include "output/decimal.hpp"
#include "ropewalk/numeric/format.hpp"

namespace ropewalk::output {

/// A 32-bit word as a hexadecimal literal; C and GLSL need the `suffix` u.
inline std::string word_literal(std::uint32_t word, const std::string& suffix = "u") {
  char text[8];
  char* const end = std::to_chars(text, text + sizeof text, word, 16).ptr;
  const std::string digits(text, end);
  return "0x" + std::string(8 - digits.size(), '0') + digits + suffix;
}

/// "0x1.8p-1": a finite number without its sign.
template <floating_format Float>
std::string hexadecimal_size(bits_of<Float> bits) {
  char text[40];
  const double value = std::abs(to_double<Float>(bits));
  return "0x" + std::string(text, std::to_chars(text, text + sizeof text, value, std::chars_format::hex).ptr);
}

/// C literal of a number: hexadecimal for double and float, HUGE_VAL or HUGE_VALF of <math.h> for their
/// infinities, and the bits for narrower formats.
template <floating_format Float>
std::string c_literal(bits_of<Float> bits) {
  if constexpr (format<Float>::total_bits <= 16) {
    return "0x" + hexadecimal<Float>(bits);
  } else {
    const std::string suffix = format<Float>::total_bits == 32 ? "f" : "";
    const std::string sign = is_negative<Float>(bits) ? "-" : "";
    if (is_infinite<Float>(bits)) return sign + (suffix.empty() ? "HUGE_VAL" : "HUGE_VALF");
    return sign + hexadecimal_size<Float>(bits) + suffix;
  }
}

/// GLSL literal of a number: a decimal that reads back to it, as a double for f64 and a float for every other
/// format. Each 16-bit number is exactly a float, and narrowing that float restores it. An infinity is
/// written as a division by zero, because GLSL has no literal for it.
template <floating_format Float>
std::string glsl_literal(bits_of<Float> bits) {
  if constexpr (format<Float>::total_bits <= 16) {
    return glsl_literal<float>(to_bits(static_cast<float>(to_double<Float>(bits))));
  } else {
    const std::string suffix = format<Float>::total_bits == 64 ? "lf" : "";
    if (is_infinite<Float>(bits))
      return (is_negative<Float>(bits) ? "-1.0" : "1.0") + suffix + " / 0.0" + suffix;
    std::string text = shortest_decimal<Float>(bits);
    if (text.find_first_of(".e") == std::string::npos) text += ".0";
    return text + suffix;
  }
}

/// Python expression of a number: float.fromhex of its value, which every format's numbers have in binary64.
template <floating_format Float>
std::string python_literal(bits_of<Float> bits) {
  const std::string sign = is_negative<Float>(bits) ? "-" : "";
  if (is_infinite<Float>(bits)) return "float.fromhex('" + sign + "inf')";
  return "float.fromhex('" + sign + hexadecimal_size<Float>(bits) + "')";
}

/// Rust literal of a number: a decimal that reads back to it, f64::INFINITY or f32::INFINITY, and the bits
/// for narrower formats.
template <floating_format Float>
std::string rust_literal(bits_of<Float> bits) {
  if constexpr (format<Float>::total_bits <= 16) {
    return "0x" + hexadecimal<Float>(bits);
  } else {
    const std::string type = format<Float>::total_bits == 64 ? "f64" : "f32";
    if (is_infinite<Float>(bits)) return (is_negative<Float>(bits) ? "-" : "") + type + "::INFINITY";
    std::string text = shortest_decimal<Float>(bits);
    if (text.find_first_of(".e") == std::string::npos) text += ".0";
    return text;
  }
}

}  // namespace ropewalk::output
