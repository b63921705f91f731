#pragma once
// Binary64 arithmetic that never rounds down, for bounds: every result is at least the exact one.

#include <bit>
#include <cstdint>

#include "ropewalk/numeric/format.hpp"

namespace ropewalk::detail {

/// 2^exponent, subnormal or normal.
///
/// domain  -1074 <= exponent <= 1023
constexpr double power_of_two(int exponent) {
  using traits = format<double>;
  if (exponent < traits::smallest_exponent)
    return std::bit_cast<double>(std::uint64_t{1} << (exponent - traits::smallest_ulp_exponent));
  return std::bit_cast<double>(static_cast<std::uint64_t>(exponent + traits::bias)
                               << (traits::precision - 1));
}

/// The next binary64 above a number that is not negative. A result rounded in any direction is less than one
/// spacing from the exact one, so its neighbour above is an upper bound.
constexpr double above(double value) {
  return std::bit_cast<double>(std::bit_cast<std::uint64_t>(value) + 1);
}

/// The next binary64 below a positive number: a lower bound of the exact result, in the same way.
constexpr double below(double value) {
  return std::bit_cast<double>(std::bit_cast<std::uint64_t>(value) - 1);
}

constexpr double sum_up(double a, double b) { return a == 0 ? b : b == 0 ? a : above(a + b); }
constexpr double product_up(double a, double b) { return a == 0 || b == 0 ? 0 : above(a * b); }
constexpr double quotient_up(double a, double b) { return a == 0 ? 0 : above(a / b); }

/// 1 in units of 2^-60, the units of the squares that root_count and root_up take.
inline constexpr std::uint64_t one_squared = std::uint64_t{1} << 60;

/// Square root in units of 2^-30, rounded up: the least count with count^2 >= square.
///
/// domain  0 < square < 2^64 - 2^33
constexpr std::uint64_t root_count(std::uint64_t square) {
  std::uint64_t below = 0;  // the largest count with count^2 < square
  for (std::uint64_t bit = std::uint64_t{1} << 31; bit != 0; bit >>= 1)
    if ((below + bit) * (below + bit) < square) below += bit;
  return below + 1;
}

/// Square root as a binary64, rounded up to a multiple of 2^-30; a count of 32 bits is exact in binary64.
constexpr double root_up(std::uint64_t square) {
  return static_cast<double>(root_count(square)) * power_of_two(-30);
}

}  // namespace ropewalk::detail
