#pragma once
// Floating-point numbers of N limbs, the midpoints of enclosures. Operations report whether they truncated.

#include <bit>
#include <cstdint>

#include "ropewalk/numeric/format.hpp"
#include "ropewalk/numeric/limbs.hpp"

namespace ropewalk {

/// (-1)^negative significand 2^exponent. The top bit of the significand is set, or the number is zero.
template <int N>
struct dyadic {
  bool negative = false;
  limbs<N> significand{};
  int exponent = 0;
  friend constexpr bool operator==(const dyadic&, const dyadic&) = default;
};

/// Whether a is 0.
///
/// domain  the top bit of the significand is set, or a is zero: only the top limb is read
template <int N>
constexpr bool is_zero(const dyadic<N>& a) {
  return a.significand.word[N - 1] == 0;
}

/// e with 2^(e - 1) <= |a| < 2^e. domain  a != 0
template <int N>
constexpr int top_exponent(const dyadic<N>& a) {
  return a.exponent + limb_bits * N;
}

/// A result, and whether it was truncated. A truncated value differs from the exact one by less than
/// 2^(value.exponent + 1). Its magnitude is too small, or too large where bits of a subtrahend were dropped.
template <int N>
struct truncated {
  dyadic<N> value;
  bool inexact = false;
};

/// (-1)^negative significand 2^exponent, truncated to N limbs.
template <int N, int M>
constexpr truncated<N> truncate(bool negative, const limbs<M>& significand, int exponent) {
  const int length = bit_length(significand);
  if (length == 0) return {};
  const int excess = length - limb_bits * N;
  if (excess > 0)
    return {{negative, resize<N>(shift_right(significand, excess)), exponent + excess},
            any_bit_below(significand, excess)};
  return {{negative, shift_left(resize<N>(significand), -excess), exponent + excess}, false};
}

/// a rounded to `length` significant bits, ties away from zero. domain  0 < length < 64 N
template <int N>
constexpr dyadic<N> nearest_of_length(const dyadic<N>& a, int length) {
  const int dropped = limb_bits * N - length;
  limbs<N + 1> sum = resize<N + 1>(a.significand);
  add_to(sum, shift_left(limbs_of<N + 1>(1), dropped - 1));
  return truncate<N>(a.negative, shift_left(shift_right(sum, dropped), dropped), a.exponent).value;
}

/// The exact value of an integer.
template <int N>
constexpr dyadic<N> exact_dyadic(std::int64_t value) {
  const std::uint64_t size =
      value < 0 ? 0 - static_cast<std::uint64_t>(value) : static_cast<std::uint64_t>(value);
  return truncate<N>(value < 0, limbs_of<1>(size), 0).value;
}

/// The exact value of a finite number of a format.
template <int N, floating_format Float>
constexpr dyadic<N> exact_dyadic_of_bits(bits_of<Float> bits) {
  const decoded parts = decode<Float>(bits);
  return truncate<N>(parts.negative, limbs_of<1>(parts.significand), parts.exponent).value;
}

/// -a; zero keeps its sign.
template <int N>
constexpr dyadic<N> negate(dyadic<N> a) {
  if (!is_zero(a)) a.negative = !a.negative;
  return a;
}

/// -1, 0 or 1 as |a| is below, equal to or above |b|.
template <int N>
constexpr int compare_magnitude(const dyadic<N>& a, const dyadic<N>& b) {
  if (is_zero(a) || is_zero(b)) return (is_zero(b) ? 0 : -1) + (is_zero(a) ? 0 : 1);
  if (a.exponent != b.exponent) return a.exponent < b.exponent ? -1 : 1;
  return compare(a.significand, b.significand);
}

/// -1, 0 or 1 as a is below, equal to or above b.
template <int N>
constexpr int compare(const dyadic<N>& a, const dyadic<N>& b) {
  const bool a_below_zero = a.negative && !is_zero(a), b_below_zero = b.negative && !is_zero(b);
  if (a_below_zero != b_below_zero) return a_below_zero ? -1 : 1;
  return a_below_zero ? compare_magnitude(b, a) : compare_magnitude(a, b);
}

/// a + b.
///
/// error   none unless `inexact`, then below 2^(exponent of the result + 1)
template <int N>
constexpr truncated<N> add(const dyadic<N>& a, const dyadic<N>& b) {
  if (is_zero(a)) return {b, false};
  if (is_zero(b)) return {a, false};
  if (compare_magnitude(a, b) < 0) return add(b, a);
  const int gap = a.exponent - b.exponent;
  if (gap > limb_bits * (N + 1)) return {a, true};  // |b| is below 2^-64 of a's last place
  // One guard limb below a. Bits of b are lost only if gap > 64; then cancellation costs at most one bit.
  limbs<N + 2> sum = shift_left(resize<N + 2>(a.significand), limb_bits);
  const limbs<N + 2> wide = shift_left(resize<N + 2>(b.significand), limb_bits);
  const limbs<N + 2> small = shift_right(wide, gap);
  const bool lost = any_bit_below(wide, gap);
  if (a.negative == b.negative)
    add_to(sum, small);
  else
    subtract_from(sum, small);
  truncated<N> result = truncate<N>(a.negative, sum, a.exponent - limb_bits);
  result.inexact = result.inexact || lost;
  return result;
}

/// a b.
///
/// error   as `truncated`
template <int N>
constexpr truncated<N> multiply(const dyadic<N>& a, const dyadic<N>& b) {
  if (is_zero(a) || is_zero(b)) return {};
  return truncate<N>(a.negative != b.negative, multiply(a.significand, b.significand),
                     a.exponent + b.exponent);
}

/// a / b.
///
/// domain  b != 0
/// error   as `truncated`
template <int N>
constexpr truncated<N> divide(const dyadic<N>& a, const dyadic<N>& b) {
  if (is_zero(a)) return {};
  limbs<2 * N> dividend;  // a x 2^(64 N): the quotient has 64 N or 64 N + 1 bits
  for (int i = 0; i < N; ++i) dividend.word[i + N] = a.significand.word[i];
  const auto parts = divide(dividend, b.significand);
  truncated<N> result =
      truncate<N>(a.negative != b.negative, parts.quotient, a.exponent - b.exponent - limb_bits * N);
  result.inexact = result.inexact || !is_zero(parts.remainder);
  return result;
}

}  // namespace ropewalk
