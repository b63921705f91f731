#pragma once
// Fixed-point numbers in [0, 1) with an error in units of the last place. They are a fast special case of
// enclosures, for power series, whose terms share one scale.

#include <cstdint>

#include "ropewalk/numeric/enclosure.hpp"

namespace ropewalk {

/// Some real number x with |x - value / 2^(64 N)| <= error / 2^(64 N).
template <int N>
struct fixed_point {
  limbs<N> value{};
  std::uint64_t error = 0;
};

/// x + y. domain  the sum is below 1
template <int N>
constexpr fixed_point<N> operator+(fixed_point<N> x, const fixed_point<N>& y) {
  add_to(x.value, y.value);
  x.error += y.error;
  return x;
}

/// x - y. domain  x >= y
template <int N>
constexpr fixed_point<N> operator-(fixed_point<N> x, const fixed_point<N>& y) {
  subtract_from(x.value, y.value);
  x.error += y.error;
  return x;
}

/// x y, truncated to N limbs.
template <int N>
constexpr fixed_point<N> operator*(const fixed_point<N>& x, const fixed_point<N>& y) {
  const limbs<2 * N> product = multiply(x.value, y.value);
  // Both factors are below 1, so the errors add. One unit more for the truncation, one for the product of the
  // two errors.
  const bool exact = x.error == 0 && y.error == 0 && is_zero(resize<N>(product));
  return {upper<N>(product), exact ? 0 : x.error + y.error + 2};
}

/// x / divisor, truncated to N limbs. domain  divisor >= 1
template <int N>
constexpr fixed_point<N> operator/(fixed_point<N> x, std::uint64_t divisor) {
  const bool exact = divide_by(x.value, divisor) == 0 && x.error == 0;
  x.error = exact ? 0 : x.error / divisor + 2;
  return x;
}

/// x factor. domain  the product is below 1
template <int N>
constexpr fixed_point<N> times(fixed_point<N> x, std::uint64_t factor) {
  multiply_by(x.value, factor);
  x.error *= factor;
  return x;
}

/// 1 / divisor. domain  divisor >= 2
template <int N>
constexpr fixed_point<N> one_over(std::uint64_t divisor) {
  limbs<N + 1> product;
  product.word[N] = 1;
  const bool exact = divide_by(product, divisor) == 0;
  return {resize<N>(product), exact ? 0u : 1u};
}

/// x as an enclosure of M limbs.
template <int M, int N>
constexpr enclosure<M> enclose(const fixed_point<N>& x) {
  return detail::with_truncation(truncate<M>(false, x.value, -limb_bits * N),
                                 radius_at_least(x.error, -limb_bits * N));
}

/// The midpoint of an enclosure as a fixed-point number. The caller adds the error of the enclosure.
///
/// domain  midpoint below 1; a negative midpoint becomes 0, which the caller's error must cover
template <int N, int M>
constexpr fixed_point<N> midpoint_as_fixed_point(const enclosure<M>& x) {
  if (is_zero(x.midpoint) || x.midpoint.negative) return {};
  constexpr int width = N > M ? N : M;
  const limbs<width> top = shift_left(resize<width>(x.midpoint.significand), limb_bits * (width - M));
  const int down = -top_exponent(x.midpoint) + limb_bits * (width - N);
  return {resize<N>(shift_right(top, down)), any_bit_below(top, down) ? 1u : 0u};
}

}  // namespace ropewalk
