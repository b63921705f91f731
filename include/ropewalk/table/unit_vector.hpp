#pragma once
// A cosine and a sine in 126-bit fixed point with a common error, and a walk along equally spaced angles that
// costs one multiplication per entry. Tables walk along their positions.

#include <algorithm>
#include <bit>
#include <cstdint>

#include "ropewalk/function/sin_cos.hpp"
#include "ropewalk/numeric/enclosure.hpp"
#include "ropewalk/numeric/format.hpp"
#include "ropewalk/numeric/round.hpp"

namespace ropewalk {

inline constexpr int unit_fraction_bits = 126;

/// A point next to the unit circle, in units of 2^-126; each coordinate lies within `error` units of the true
/// one.
struct unit_vector {
  signed_wide_word cos = 0;
  signed_wide_word sin = 0;
  std::uint64_t error = 0;
};

/// |x|, also for x = -2^127.
constexpr wide_word magnitude_of(signed_wide_word x) {
  return x < 0 ? -static_cast<wide_word>(x) : static_cast<wide_word>(x);
}

/// floor(a b / 2^126).
///
/// domain  a b < 2^254
constexpr wide_word multiply_fixed(wide_word a, wide_word b) {
  const std::uint64_t a0 = static_cast<std::uint64_t>(a), a1 = static_cast<std::uint64_t>(a >> limb_bits);
  const std::uint64_t b0 = static_cast<std::uint64_t>(b), b1 = static_cast<std::uint64_t>(b >> limb_bits);
  const wide_word low = static_cast<wide_word>(a0) * b0, left = static_cast<wide_word>(a1) * b0,
                  right = static_cast<wide_word>(a0) * b1, high = static_cast<wide_word>(a1) * b1;
  const wide_word middle =
      (low >> limb_bits) + static_cast<std::uint64_t>(left) + static_cast<std::uint64_t>(right);
  const wide_word top = high + (left >> limb_bits) + (right >> limb_bits) + (middle >> limb_bits);
  return (top << 2) | (static_cast<std::uint64_t>(middle) >> 62);
}

namespace detail {

template <int N>
constexpr signed_wide_word fixed_midpoint(const dyadic<N>& a) {
  const int down = -unit_fraction_bits - a.exponent;  // bits of the significand below 2^-126
  if (is_zero(a) || down >= limb_bits * N) return 0;
  const limbs<N + 2> shifted = down >= 0 ? shift_right(resize<N + 2>(a.significand), down)
                                         : shift_left(resize<N + 2>(a.significand), -down);
  const auto size =
      static_cast<signed_wide_word>((static_cast<wide_word>(shifted.word[1]) << limb_bits) | shifted.word[0]);
  return a.negative ? -size : size;
}

}  // namespace detail

/// A point in fixed point; both coordinates are truncated.
///
/// error   0 at exact quarter turns; otherwise the sum of the errors of both enclosures, plus two units
template <int N>
constexpr unit_vector to_unit_vector(const cos_sin<N>& point) {
  const std::uint64_t error = in_units(point.cos.error + point.sin.error, -unit_fraction_bits);
  const bool exact = is_exact(point.cos) && is_exact(point.sin) &&
                     (is_zero(point.cos.midpoint) || is_zero(point.sin.midpoint));  // quarter turns
  return {detail::fixed_midpoint(point.cos.midpoint), detail::fixed_midpoint(point.sin.midpoint),
          exact ? 0 : error + 2};
}

/// Points at equally spaced angles, by Chebyshev's recurrence x[n + 1] = 2 cos(step) x[n] - x[n - 1]: calls
/// `visit(n, cos, sin, error)` for n = 0 .. count - 1.
///
/// error   point n is off by at most (n + 1) E + (2 e + 3) n (n + 1) / 2 units, where E is the sum of the
///         errors of the first two points and e the error of cos(step). A disturbance grows over k steps like
///         U[k] with |U[k]| <= k + 1. Each step adds 2 e |x|, less than 2 units by truncation of the product,
///         and less than 1 for |x| above 1. The error is passed on as a value.
template <class Visit>
constexpr void walk(const unit_vector& first, const unit_vector& second, const unit_vector& step,
                    std::int64_t count, Visit visit) {
  // Plain numbers in the loop: in constant evaluation, compilers are many times slower with structs.
  const wide_word turn = magnitude_of(step.cos);
  const bool flip = step.cos < 0;
  const auto turned = [turn, flip](signed_wide_word x) {  // below 2^128: 2 |x cos(step)| is at most about 2
    const wide_word size = multiply_fixed(magnitude_of(x), turn) << 1;
    return (x < 0) != flip ? wide_word{0} - size : size;
  };
  const auto after = [&turned](signed_wide_word next, signed_wide_word x) {
    return static_cast<signed_wide_word>(turned(next) - static_cast<wide_word>(x));
  };
  signed_wide_word cos = first.cos, sin = first.sin, next_cos = second.cos, next_sin = second.sin;
  std::uint64_t error = first.error + second.error, growth = error, gain = 2 * step.error + 3;
  // Sums of larger errors would overflow.
  if (error >= hopeless_units >> 20 || step.error >= hopeless_units >> 40) {
    error = hopeless_units;
    growth = gain = 0;
  }
  for (std::int64_t n = 0; n < count; n += 2) {  // two points at a time, without copies
    visit(n, cos, sin, error);
    error += growth += gain;
    if (n + 1 < count) visit(n + 1, next_cos, next_sin, error);
    error += growth += gain;
    cos = after(next_cos, cos);
    sin = after(next_sin, sin);
    next_cos = after(cos, next_cos);
    next_sin = after(sin, next_sin);
  }
}

/// A positive factor, mantissa x 2^exponent; the mantissa is in [1, 2), with 126 fraction bits.
struct fixed_factor {
  wide_word mantissa = static_cast<wide_word>(1) << unit_fraction_bits;
  std::uint64_t error = 0;
  int exponent = 0;
};

/// A factor in fixed point; its mantissa is truncated.
///
/// domain  midpoint above 0
/// error   the error of the enclosure in units of the mantissa, plus one unit if bits were truncated
template <int N>
constexpr fixed_factor to_fixed_factor(const enclosure<N>& factor) {
  const int exponent = top_exponent(factor.midpoint) - 1;
  const enclosure<N> mantissa = times_power_of_two(factor, -exponent);
  const bool cut = any_bit_below(mantissa.midpoint.significand, limb_bits * N - 1 - unit_fraction_bits);
  return {static_cast<wide_word>(detail::fixed_midpoint(mantissa.midpoint)),
          in_units(mantissa.error, -unit_fraction_bits) + (cut ? 1 : 0), exponent};
}

/// Whether the factor is exactly 1.
constexpr bool is_one(const fixed_factor& factor) {
  return factor.error == 0 && factor.exponent == 0 &&
         factor.mantissa == static_cast<wide_word>(1) << unit_fraction_bits;
}

/// Formats up to this precision are rounded from the upper 64 bits of a coordinate.
inline constexpr int widest_quick_rounding = 24;

/// Rounds (x +- error) / 2^126 to the nearest number of the format, from the upper 64 bits of x: a fourth of
/// the cost of `round` in constant evaluation. Returns false, and leaves `out` unchanged, if these bits do
/// not decide or the result may be subnormal.
///
/// domain  |x| < 2^127, precision <= widest_quick_rounding
/// error   |x| / 2^64 lies within 1.25 of `size`: 1 from the dropped bits, 1/4 from `error`. The distance to
///         the midpoint is at least 3, and an ulp at least 2^9, also below a power of two.
template <floating_format Float>
constexpr bool round_quickly(signed_wide_word x, std::uint64_t error, bits_of<Float>& out) {
  using traits = format<Float>;
  constexpr int point = unit_fraction_bits - limb_bits;  // fraction bits of `high`
  constexpr int smallest_top = std::max(traits::precision + 8, point + traits::smallest_exponent);
  const auto high = static_cast<std::int64_t>(x >> limb_bits);
  const auto size = static_cast<std::uint64_t>(high < 0 ? -high : high);
  if (size >> smallest_top == 0 || error >> (limb_bits - 2) != 0) return false;
  // Not std::countl_zero: its own constant evaluation would cost more than the rest of the rounding.
  const int dropped = limb_bits - traits::precision - __builtin_clzll(size);
  const std::uint64_t half = std::uint64_t{1} << (dropped - 1), rest = size & (2 * half - 1);
  if ((rest > half ? rest - half : half - rest) < 3) return false;
  const auto field =
      static_cast<std::uint64_t>(dropped + (traits::precision - 1) - point - traits::smallest_exponent);
  const std::uint64_t bits = ((size + half) >> dropped) + (field << (traits::precision - 1));
  out = static_cast<bits_of<Float>>((high < 0 ? traits::sign_bit : 0) | static_cast<bits_of<Float>>(bits));
  return true;
}

/// The number of the format nearest to (x +- error) / 2^126 x factor, if decided; zero is never decided.
template <floating_format Float>
constexpr rounding<Float> round(signed_wide_word x, std::uint64_t error, const fixed_factor& factor) {
  if (is_one(factor)) return round_wide<Float>(x < 0, magnitude_of(x), -unit_fraction_bits, error);
  return round_wide<Float>(x < 0, multiply_fixed(magnitude_of(x), factor.mantissa),
                           factor.exponent - unit_fraction_bits, 2 * error + factor.error + 2);
}

}  // namespace ropewalk
