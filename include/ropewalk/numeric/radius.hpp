#pragma once
// An upper bound of an error: a 32-bit significand times a power of two. Every operation rounds up.

#include <bit>
#include <cstdint>

namespace ropewalk {

/// significand x 2^exponent; the significand lies in [2^31, 2^32), or is 0 with exponent 0.
struct radius {
  std::uint32_t significand = 0;
  int exponent = 0;
  friend constexpr bool operator==(const radius&, const radius&) = default;
};

/// Whether the bound is 0.
constexpr bool is_zero(const radius& radius) { return radius.significand == 0; }

/// The smallest radius not below significand x 2^exponent.
constexpr radius radius_at_least(std::uint64_t significand, int exponent) {
  if (significand == 0) return {};
  const int shift = 32 - std::countl_zero(significand);  // bits beyond 32, negative if fewer
  if (shift <= 0) return {static_cast<std::uint32_t>(significand << -shift), exponent + shift};
  std::uint64_t kept = significand >> shift;
  if ((kept << shift) != significand) ++kept;
  if (kept >> 32) return {std::uint32_t{1} << 31, exponent + shift + 1};
  return {static_cast<std::uint32_t>(kept), exponent + shift};
}

/// An upper bound of a + b.
constexpr radius operator+(const radius& a, const radius& b) {
  if (is_zero(a)) return b;
  if (is_zero(b)) return a;
  if (a.exponent < b.exponent) return b + a;
  const int gap = a.exponent - b.exponent;
  if (gap >= 32) return radius_at_least(std::uint64_t{a.significand} + 1, a.exponent);
  const std::uint64_t low = b.significand,
                      kept = (low >> gap) + ((low & ((std::uint64_t{1} << gap) - 1)) != 0);
  return radius_at_least(a.significand + kept, a.exponent);
}

/// An upper bound of a b.
constexpr radius operator*(const radius& a, const radius& b) {
  return radius_at_least(std::uint64_t{a.significand} * b.significand, a.exponent + b.exponent);
}

/// r 2^power, exactly.
constexpr radius times_power_of_two(radius radius, int power) {
  if (!is_zero(radius)) radius.exponent += power;
  return radius;
}

/// An upper bound of a / b.
///
/// domain  b != 0; b is the divisor itself, not an upper bound of it
constexpr radius operator/(const radius& a, const radius& b) {
  if (is_zero(a)) return {};
  return radius_at_least((std::uint64_t{a.significand} << 32) / b.significand + 1,
                         a.exponent - b.exponent - 32);
}

/// Result of `in_units` for errors of 2^61 units or more, which are too large to decide a rounding.
inline constexpr std::uint64_t hopeless_units = std::uint64_t{1} << 62;

/// r / 2^exponent rounded up, possibly by one unit too much; hopeless_units from 2^61 units on.
constexpr std::uint64_t in_units(const radius& radius, int exponent) {
  const int shift = radius.exponent - exponent;
  if (is_zero(radius)) return 0;
  if (shift >= 30) return hopeless_units;
  if (shift >= 0) return std::uint64_t{radius.significand} << shift;
  return (shift < -31 ? 0 : std::uint64_t{radius.significand} >> -shift) + 1;
}

/// Compares the bounds exactly.
constexpr bool operator<(const radius& a, const radius& b) {
  if (is_zero(b)) return false;
  if (is_zero(a)) return true;
  return a.exponent != b.exponent ? a.exponent < b.exponent : a.significand < b.significand;
}

}  // namespace ropewalk
