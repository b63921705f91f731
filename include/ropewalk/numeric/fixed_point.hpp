#pragma once
// Fixed-point numbers in [0, 1) with an error in units of the last place: the fast special case of an enclosure, for the
// inside of power series, where all terms share one scale.

#include <cstdint>

#include "ropewalk/numeric/enclosure.hpp"

namespace ropewalk {

/// |x - value / 2^(64 N)| <= error / 2^(64 N).
template <int N>
struct fixed_point {
  limbs<N> value{};
  std::uint64_t error = 0;
};

/// domain  the sum is below 1
template <int N>
constexpr fixed_point<N> operator+(fixed_point<N> x, const fixed_point<N>& y) {
  add_to(x.value, y.value);
  x.error += y.error;
  return x;
}

/// domain  x >= y
template <int N>
constexpr fixed_point<N> operator-(fixed_point<N> x, const fixed_point<N>& y) {
  subtract_from(x.value, y.value);
  x.error += y.error;
  return x;
}

template <int N>
constexpr fixed_point<N> operator*(const fixed_point<N>& x, const fixed_point<N>& y) {
  const limbs<2 * N> product = multiply(x.value, y.value);
  // Both factors are below 1, so errors add; one unit for the cut, one for the product of the two errors.
  const bool exact = x.error == 0 && y.error == 0 && is_zero(resize<N>(product));
  return {upper<N>(product), exact ? 0 : x.error + y.error + 2};
}

template <int N>
constexpr fixed_point<N> operator/(fixed_point<N> x, std::uint64_t divisor) {
  const bool exact = divide_by(x.value, divisor) == 0 && x.error == 0;
  x.error = exact ? 0 : x.error / divisor + 2;
  return x;
}

template <int N>
constexpr fixed_point<N> one_over(std::uint64_t divisor) {
  limbs<N + 1> one;
  one.word[N] = 1;
  const bool exact = divide_by(one, divisor) == 0;
  return {resize<N>(one), exact ? 0u : 1u};
}

template <int N>
constexpr enclosure<N> enclose(const fixed_point<N>& x) {
  return {truncate<N>(false, x.value, -limb_bits * N).value, radius_at_least(x.error, -limb_bits * N)};
}

/// A number known to lie in [0, 1) as fixed point. domain  0 <= x < 1 - 2^-32; midpoints outside are brought in
template <int N>
constexpr fixed_point<N> to_fixed_point(const enclosure<N>& x) {
  if (is_zero(x.midpoint) && is_exact(x)) return {};
  const int unit = -limb_bits * N;
  const int shift = x.midpoint.exponent - unit;  // <= 0 for a midpoint below 1
  const bool inside = !x.midpoint.negative && shift <= 0;
  const limbs<N> value = inside ? shift_right(x.midpoint.significand, -shift) : limbs<N>{};
  const bool cut = !inside || any_bit_below(x.midpoint.significand, -shift);
  // Errors beyond 2^60 units are useless here; callers widen their result by x.error themselves.
  return {value, cut ? 1u : 0u};
}

}  // namespace ropewalk
