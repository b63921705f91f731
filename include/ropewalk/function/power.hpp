#pragma once
// Enclosures of powers: integer exponents by squaring, fractions through the logarithm. A fractional power
// of at most 53 bits is exact, provided that N limbs hold the powers that decide it.

#include <cstdint>
#include <type_traits>

#include "ropewalk/function/exp_log.hpp"
#include "ropewalk/numeric/compiled_once.hpp"
#include "ropewalk/numeric/enclosure.hpp"
#include "ropewalk/numeric/format.hpp"

namespace ropewalk {

/// x^exponent by squaring. domain  exponent >= 0
template <int N>
constexpr enclosure<N> power(enclosure<N> x, std::uint32_t exponent) {
  enclosure<N> bounds = enclosure<N>::of(1);
  for (bool first = true; exponent != 0; exponent >>= 1) {
    if ((exponent & 1) != 0) {
      bounds = first ? x : bounds * x;
      first = false;
    }
    if (exponent > 1) x = x * x;
  }
  return bounds;
}

namespace detail {

/// Whether `candidate` is exactly x^(numerator / denominator); false where N limbs do not hold the powers
/// that decide it.
template <int N>
constexpr bool is_exact_power(const enclosure<N>& candidate, const enclosure<N>& x, std::uint32_t numerator,
                              std::uint32_t denominator) {
  if (!is_exact(x)) return false;
  const enclosure<N> left = power(candidate, denominator), right = power(x, numerator);
  return is_exact(left) && is_exact(right) && compare(left, right) == order::equal;
}

template <int N>
constexpr enclosure<N> root_of_power(const enclosure<N>& x, const enclosure<N>& log_x,
                                     std::uint32_t numerator, std::uint32_t denominator) {
  if (numerator % denominator == 0) return power(x, numerator / denominator);
  const enclosure<N> bounds = exp(log_x * enclosure<N>::of(static_cast<std::int64_t>(numerator)) /
                                  enclosure<N>::of(static_cast<std::int64_t>(denominator)));
  if (is_zero(bounds.midpoint)) return bounds;
  const enclosure<N> candidate{nearest_of_length(bounds.midpoint, format<double>::precision), {}};
  if (compare(bounds, candidate) != order::undecided) return bounds;
  return is_exact_power(candidate, x, numerator, denominator) ? candidate : bounds;
}

/// Run-time version of the function below, compiled once (compiled_once.hpp).
template <int N>
struct power_at_run_time {
  static enclosure<N> from_log(const enclosure<N>& x, const enclosure<N>& log_x, std::uint32_t numerator,
                               std::uint32_t denominator);
};
template <int N>
enclosure<N> power_at_run_time<N>::from_log(const enclosure<N>& x, const enclosure<N>& log_x,
                                            std::uint32_t numerator, std::uint32_t denominator) {
  return root_of_power(x, log_x, numerator, denominator);
}
ROPEWALK_COMPILED_ONCE(power_at_run_time);

}  // namespace detail

/// x^(numerator / denominator), given ln x; exact where it has at most 53 bits and its powers fit N limbs.
///
/// domain  x > 0, denominator >= 1; else unbounded
template <int N>
constexpr enclosure<N> power_from_log(const enclosure<N>& x, const enclosure<N>& log_x,
                                      std::uint32_t numerator, std::uint32_t denominator) {
  return std::is_constant_evaluated()
             ? detail::root_of_power(x, log_x, numerator, denominator)
             : detail::power_at_run_time<N>::from_log(x, log_x, numerator, denominator);
}

/// x^(numerator / denominator). domain  x > 0, denominator >= 1; else unbounded
template <int N>
constexpr enclosure<N> power(const enclosure<N>& x, std::uint32_t numerator, std::uint32_t denominator) {
  return power_from_log(x, log(x), numerator, denominator);
}

/// The degree-th root of x. domain  x > 0, degree >= 1; else unbounded
template <int N>
constexpr enclosure<N> root(const enclosure<N>& x, std::uint32_t degree) {
  return power(x, 1, degree);
}

}  // namespace ropewalk
