#pragma once
// Exact rational numbers, and exact integer roots.

#include <cmath>
#include <cstdint>
#include <optional>

#include <boost/multiprecision/cpp_int.hpp>

#include "ropewalk/config/scaling_lengths.hpp"

namespace ropewalk::reference {

using rational = boost::multiprecision::cpp_rational;

namespace detail {

using whole_number = boost::multiprecision::cpp_int;

/// A finite number other than 0 as odd x 2^exponent.
struct odd_part {
  std::int64_t odd;
  int exponent;
};

inline odd_part odd_part_of(double value) {
  int exponent = 0;
  auto odd = static_cast<std::int64_t>(std::ldexp(std::frexp(value, &exponent), 53));
  exponent -= 53;
  for (; odd % 2 == 0; odd /= 2) ++exponent;
  return {odd, exponent};
}

inline rational power_of_two(int exponent) {
  const whole_number size = whole_number(1) << std::abs(exponent);
  return exponent >= 0 ? rational(size) : rational(whole_number(1), size);
}

inline rational rational_of(double value) {
  if (value == 0) return 0;
  const odd_part parts = odd_part_of(value);
  return rational(parts.odd) * power_of_two(parts.exponent);
}

/// The degree-th root of `odd` if it is a whole number; 1 <= odd < 2^53.
inline std::optional<std::int64_t> exact_root(std::int64_t odd, int degree) {
  if (odd == 1 || degree == 1) return odd;
  if (degree > 53) return std::nullopt;
  const auto nearby =
      static_cast<std::int64_t>(std::llround(std::pow(static_cast<double>(odd), 1.0 / degree)));
  for (std::int64_t root = nearby - 1; root <= nearby + 1; ++root)
    if (root >= 1 && pow(whole_number(root), static_cast<unsigned>(degree)) == odd) return root;
  return std::nullopt;
}

inline rational rational_of(const quotient& scale) {
  return rational_of(scale.numerator) / rational_of(scale.denominator);
}

/// The degree-th root of `size` if it is a whole number, found bit by bit.
inline std::optional<whole_number> whole_root(const whole_number& size, int degree) {
  whole_number root = 0;
  for (int bit = static_cast<int>(msb(size)) / degree; bit >= 0; --bit) {
    bit_set(root, static_cast<unsigned>(bit));
    if (pow(root, static_cast<unsigned>(degree)) > size) bit_unset(root, static_cast<unsigned>(bit));
  }
  if (pow(root, static_cast<unsigned>(degree)) != size) return std::nullopt;
  return root;
}

}  // namespace detail
}  // namespace ropewalk::reference
