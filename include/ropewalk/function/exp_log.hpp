#pragma once
// Enclosures of the exponential function and of the natural logarithm.

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "ropewalk/function/constants.hpp"
#include "ropewalk/numeric/compiled_once.hpp"
#include "ropewalk/numeric/enclosure.hpp"
#include "ropewalk/numeric/fixed_point.hpp"
#include "ropewalk/numeric/integer_part.hpp"

namespace ropewalk {

namespace detail {

/// e^y - 1 for 0 <= y < 2^-8, by its power series.
template <int N>
constexpr fixed_point<N> exp_minus_one(const fixed_point<N>& y) {
  fixed_point<N> term = y, sum = y;
  for (std::uint64_t k = 2; !is_zero(term.value); ++k) {
    term = term * y / k;
    sum = sum + term;
  }
  sum.error += term.error + 1;  // the omitted terms sum to less than the last term
  return sum;
}

template <int N>
constexpr enclosure<N> exp_by_series(const enclosure<N>& x) {
  if (is_exact(x) && is_zero(x.midpoint)) return enclosure<N>::of(1);
  if ((!is_zero(x.midpoint) && top_exponent(x.midpoint) > 20) ||
      !(x.error < radius{std::uint32_t{1} << 31, -32}))
    return unbounded<N>();
  const enclosure<N> middle{x.midpoint, {}};
  const std::int64_t power = floor((middle / ln_2<N>()).midpoint).value;
  const enclosure<N> rest = middle - enclosure<N>::of(power) * ln_2<N>();  // in [0, ln 2], up to its error
  constexpr int halvings = 8;
  fixed_point<N> v = midpoint_as_fixed_point<N>(times_power_of_two(rest, -halvings - 1));
  // Truncation may leave the rest just below zero. It is then taken as zero, and its magnitude is added to
  // the error.
  const radius below = rest.midpoint.negative ? magnitude_above(rest.midpoint) : radius{};
  v = detail::exp_minus_one(v);
  for (int i = 0; i < halvings; ++i)
    v = v + v + v * v;  // e^(2 y) - 1 from e^y - 1; ends below e^(ln 2 / 2) - 1 < 1/2
  const enclosure<N> half = enclosure<N>::of(1) + enclose<N>(v);
  enclosure<N> bounds = half * half;
  // e^(y + t) differs from e^y by at most e^y 2 |t| for |t| <= 1/2, and e^y < 4. t is the sum of the errors.
  bounds.error = bounds.error + times_power_of_two(x.error + rest.error + below, 3);
  return times_power_of_two(bounds, static_cast<int>(power));
}

template <int N>
constexpr enclosure<N> log_by_series(const enclosure<N>& x) {
  if (x.midpoint.negative || may_be_zero(x)) return unbounded<N>();
  // x = m 2^e with m in [3/4, 3/2): z = (m - 1) / (m + 1) lies in [-1/7, 1/5), and ln m = 2 atanh z.
  const bool low = x.midpoint.significand.word[N - 1] < (std::uint64_t{3} << 62);
  const int power = top_exponent(x.midpoint) - (low ? 1 : 0);
  const enclosure<N> m = times_power_of_two(enclosure<N>{x.midpoint, {}}, -power),
                     bounds = enclosure<N>::of(1);
  const enclosure<N> z = (m - bounds) / (m + bounds);
  const fixed_point<N> square = midpoint_as_fixed_point<N>(z * z);
  fixed_point<N> term = square, sum{};
  // z is off by less than 2^(3 - 64 N) z, and z^2 < 1/25: with two truncations, z^2 is within 2 units.
  term.error += 3;
  for (std::uint64_t odd = 3; !is_zero(term.value); odd += 2) {
    sum = sum + term / odd;
    term = term * square;
  }
  sum.error += term.error + 1;
  enclosure<N> result = times_power_of_two(z + z * enclose<N>(sum), 1) + enclosure<N>::of(power) * ln_2<N>();
  if (!is_exact(x))
    result.error = result.error + x.error / magnitude_below(x);  // |ln x - ln X| <= |x - X| / min(x, X)
  return result;
}

/// Run-time versions of the functions below, compiled once (compiled_once.hpp).
template <int N>
struct exp_log_at_run_time {
  static enclosure<N> exp(const enclosure<N>& x);
  static enclosure<N> log(const enclosure<N>& x);
};
template <int N>
enclosure<N> exp_log_at_run_time<N>::exp(const enclosure<N>& x) {
  return exp_by_series(x);
}
template <int N>
enclosure<N> exp_log_at_run_time<N>::log(const enclosure<N>& x) {
  // Every pair of a table needs the same few logarithms: of its base and of the ends of its rule's ramp.
  struct logarithm {
    enclosure<N> bounds;
    enclosure<N> value;
  };
  constexpr std::size_t most = 8;
  thread_local std::array<logarithm, most> recent{};
  thread_local std::size_t count = 0;
  for (std::size_t i = 0; i < std::min(count, most); ++i)
    if (recent[i].bounds.midpoint == x.midpoint && recent[i].bounds.error == x.error) return recent[i].value;
  logarithm& logarithm = recent[count++ % most];
  logarithm = {x, log_by_series(x)};
  return logarithm.value;
}
ROPEWALK_COMPILED_ONCE(exp_log_at_run_time);

}  // namespace detail

/// e^x.
///
/// domain  |x| < 2^20 and an error below 1/2, else unbounded
template <int N>
constexpr enclosure<N> exp(const enclosure<N>& x) {
  return std::is_constant_evaluated() ? detail::exp_by_series(x) : detail::exp_log_at_run_time<N>::exp(x);
}

/// ln x.
///
/// domain  x > 0, else unbounded
template <int N>
constexpr enclosure<N> log(const enclosure<N>& x) {
  return std::is_constant_evaluated() ? detail::log_by_series(x) : detail::exp_log_at_run_time<N>::log(x);
}

}  // namespace ropewalk
