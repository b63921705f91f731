#pragma once
// IEEE 754 arithmetic on bit patterns, in integer arithmetic: the same bits in constant evaluation and at
// run time, independent of the floating-point environment and the compiler's flags. Results are rounded to
// nearest, ties to even; every NaN that an operation returns is format::quiet_nan.

#include <bit>
#include <cstdint>
#include <type_traits>
#include <utility>

#include "ropewalk/numeric/format.hpp"
#include "ropewalk/numeric/limbs.hpp"

namespace ropewalk {

namespace detail {

/// value >> count, with a sticky bit: the lowest bit is also set if a one was shifted out.
constexpr std::uint64_t shift_right_sticky(std::uint64_t value, int count) {
  if (count == 0) return value;
  if (count > 63) return value != 0 ? 1 : 0;
  const std::uint64_t lost = value << (64 - count);
  return (value >> count) | (lost != 0 ? 1u : 0u);
}

/// (-1)^negative significand 2^exponent, rounded once to nearest even. The lowest bit may be sticky.
///
/// domain  significand > 0; with a sticky bit, significand >= 2^(precision + 1)
template <floating_format Float>
constexpr bits_of<Float> round_significand(bool negative, std::uint64_t significand, int exponent) {
  using traits = format<Float>;
  constexpr int dropped = 64 - traits::precision;  // at least 11
  const int left = std::countl_zero(significand);
  significand <<= left;
  exponent += dropped - left;  // exponent of the last place kept
  const std::uint64_t sign = negative ? std::uint64_t{traits::sign_bit} : 0;
  int drop = dropped;
  if (exponent < traits::smallest_ulp_exponent) {
    drop += traits::smallest_ulp_exponent - exponent;
    exponent = traits::smallest_ulp_exponent;
    if (drop > 64) return static_cast<bits_of<Float>>(sign);
  }
  const std::uint64_t half = std::uint64_t{1} << (drop - 1);
  const std::uint64_t kept = drop == 64 ? 0 : significand >> drop;
  const std::uint64_t rest = drop == 64 ? significand : significand & (2 * half - 1);
  const std::uint64_t up = (rest > half || (rest == half && (kept & 1) != 0)) ? 1 : 0;
  if (exponent > traits::largest_exponent - (traits::precision - 1))
    return static_cast<bits_of<Float>>(sign | traits::infinity);
  // The hidden bit and a carry out of the fraction add to the exponent field. Past the largest finite number
  // the result is infinity.
  const std::uint64_t field = static_cast<std::uint64_t>(exponent - traits::smallest_ulp_exponent);
  return static_cast<bits_of<Float>>(sign | ((field << (traits::precision - 1)) + kept + up));
}

/// A finite number, decoded with its significand shifted left so that the hidden bit is bit 61.
template <floating_format Float>
constexpr decoded decode_high(bits_of<Float> bits) {
  decoded number = decode<Float>(bits);
  number.significand <<= 62 - format<Float>::precision;
  number.exponent -= 62 - format<Float>::precision;
  return number;
}

}  // namespace detail

/// -a, by flipping the sign bit; a NaN stays a NaN.
template <floating_format Float>
constexpr bits_of<Float> negate(bits_of<Float> a) {
  return static_cast<bits_of<Float>>(a ^ format<Float>::sign_bit);
}

/// a + b, rounded once to nearest even.
///
/// source  IEEE 754-2019, sec. 5.4.1 and 6.3: x + (-x) is +0, -0 + -0 is -0, inf + -inf is NaN
template <floating_format Float>
constexpr bits_of<Float> add(bits_of<Float> a, bits_of<Float> b) {
  using traits = format<Float>;
  if (!is_finite<Float>(a) || !is_finite<Float>(b)) {
    if (is_nan<Float>(a) || is_nan<Float>(b)) return traits::quiet_nan;
    if (is_finite<Float>(a)) return b;
    return is_finite<Float>(b) || a == b ? a : traits::quiet_nan;
  }
  if (magnitude<Float>(a) < magnitude<Float>(b)) std::swap(a, b);
  if (magnitude<Float>(b) == 0) return magnitude<Float>(a) != 0 ? a : static_cast<bits_of<Float>>(a & b);
  const decoded large = detail::decode_high<Float>(a);
  const decoded small = detail::decode_high<Float>(b);
  const std::uint64_t shifted =
      detail::shift_right_sticky(small.significand, large.exponent - small.exponent);
  const bool same_sign = large.negative == small.negative;
  const std::uint64_t sum = same_sign ? large.significand + shifted : large.significand - shifted;
  if (sum == 0) return 0;
  return detail::round_significand<Float>(large.negative, sum, large.exponent);
}

/// a - b, rounded once to nearest even.
template <floating_format Float>
constexpr bits_of<Float> subtract(bits_of<Float> a, bits_of<Float> b) {
  return add<Float>(a, negate<Float>(b));
}

/// a b, rounded once to nearest even.
///
/// source  IEEE 754-2019, sec. 5.4.1 and 7.2: inf x 0 is NaN
template <floating_format Float>
constexpr bits_of<Float> multiply(bits_of<Float> a, bits_of<Float> b) {
  using traits = format<Float>;
  const bits_of<Float> sign = static_cast<bits_of<Float>>((a ^ b) & traits::sign_bit);
  const bool zero = magnitude<Float>(a) == 0 || magnitude<Float>(b) == 0;
  if (!is_finite<Float>(a) || !is_finite<Float>(b)) {
    if (zero || is_nan<Float>(a) || is_nan<Float>(b)) return traits::quiet_nan;
    return static_cast<bits_of<Float>>(sign | traits::infinity);
  }
  if (zero) return sign;
  const decoded x = decode<Float>(a);
  const decoded y = decode<Float>(b);
  const int exponent = x.exponent + y.exponent;
  if constexpr (traits::precision <= 32) {
    return detail::round_significand<Float>(sign != 0, x.significand * y.significand, exponent);
  } else {
    const wide_word product = static_cast<wide_word>(x.significand) * y.significand;
    const std::uint64_t high = static_cast<std::uint64_t>(product >> 64);
    const std::uint64_t low = static_cast<std::uint64_t>(product);
    if (high == 0) return detail::round_significand<Float>(sign != 0, low, exponent);
    const int shift = 64 - std::countl_zero(high);  // 1 to 42: keeps 64 significant bits, the rest is sticky
    const std::uint64_t kept = static_cast<std::uint64_t>(product >> shift);
    const std::uint64_t sticky = (low << (64 - shift)) != 0 ? 1u : 0u;
    return detail::round_significand<Float>(sign != 0, kept | sticky, exponent + shift);
  }
}

/// The number in another format: exact if To holds it, otherwise rounded once to nearest even.
template <floating_format To, floating_format From>
constexpr bits_of<To> convert(bits_of<From> a) {
  if (is_nan<From>(a)) return format<To>::quiet_nan;
  if constexpr (std::is_same_v<To, From>) return a;
  const bits_of<To> sign = is_negative<From>(a) ? format<To>::sign_bit : bits_of<To>{0};
  if constexpr (format<To>::precision > format<From>::precision && format<To>::bias >= format<From>::bias) {
    // To holds every normal number of From: the exponent has another bias, and the fraction further zeros.
    const bits_of<To> bits = magnitude<From>(a);
    constexpr int fraction = format<To>::precision - 1,
                  further = format<To>::precision - format<From>::precision;
    constexpr auto rebiased = static_cast<bits_of<To>>(format<To>::bias - format<From>::bias) << fraction;
    if (bits >> (format<From>::precision - 1) != 0 && bits < format<From>::infinity)
      return static_cast<bits_of<To>>(sign | ((bits << further) + rebiased));
  }
  if (is_infinite<From>(a)) return static_cast<bits_of<To>>(sign | format<To>::infinity);
  const decoded number = decode<From>(a);
  if (number.significand == 0) return sign;
  return detail::round_significand<To>(number.negative, number.significand, number.exponent);
}

}  // namespace ropewalk
