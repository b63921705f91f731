#pragma once
// Correct rounding of an MPFR number to the bit patterns of a format, once, to nearest even. Subnormals are
// rounded directly at their own last place, not first to the format's precision, which would round twice.
// (mpfr_subnormalize avoids the second rounding's error with the ternary value of mpfr_set.)

#include <cstdint>
#include <optional>
#include <stdexcept>

#include "oracle/mpfr_number.hpp"
#include "ropewalk/numeric/format.hpp"

namespace ropewalk::oracle {

/// The number's upper 64 bits, and whether any bit is set below them.
struct leading_bits {
  std::uint64_t top = 0;
  bool rest = false;
};

/// domain  x finite and not zero
inline leading_bits leading_bits_of(mpfr_srcptr x) {
  static_assert(GMP_NUMB_BITS == 64);
  const auto* limb = static_cast<const mp_limb_t*>(mpfr_custom_get_significand(x));
  const auto count = (mpfr_get_prec(x) + 63) / 64;
  bool rest = false;
  for (mpfr_prec_t i = 0; i + 1 < count; ++i) rest = rest || limb[i] != 0;
  return {limb[count - 1], rest};
}

/// domain  x is not a NaN
template <floating_format Float>
bits_of<Float> round_to(mpfr_srcptr x) {
  using traits = format<Float>;
  using bits = bits_of<Float>;
  const bits sign = mpfr_signbit(x) != 0 ? traits::sign_bit : bits{0};
  if (mpfr_zero_p(x)) return sign;
  if (mpfr_inf_p(x)) return static_cast<bits>(sign | traits::infinity);
  const long top_exponent = mpfr_get_exp(x) - 1;  // 2^top_exponent <= |x| < 2^(top_exponent + 1)
  if (top_exponent > traits::largest_exponent) return static_cast<bits>(sign | traits::infinity);
  const bool subnormal = top_exponent < traits::smallest_exponent;
  const long kept = traits::precision - (subnormal ? traits::smallest_exponent - top_exponent : 0);
  if (kept < 0) return sign;
  const leading_bits value = leading_bits_of(x);
  const std::uint64_t half = std::uint64_t{1} << (63 - kept);
  const std::uint64_t dropped = value.top & (2 * half - 1);
  std::uint64_t significand = kept == 0 ? 0 : value.top >> (64 - kept);
  if (dropped > half || (dropped == half && (value.rest || (significand & 1) != 0))) ++significand;
  if (subnormal) return static_cast<bits>(sign | static_cast<bits>(significand));
  // The hidden bit adds one to the exponent field, and so does a carry into the next power of two.
  const auto field = static_cast<std::uint64_t>(top_exponent - traits::smallest_exponent);
  return static_cast<bits>(sign | static_cast<bits>((field << (traits::precision - 1)) + significand));
}

/// The rounding of every number of a bracket; nullopt unless both ends round alike.
template <floating_format Float>
std::optional<bits_of<Float>> round_to(const bracket& x) {
  const bits_of<Float> low = round_to<Float>(x.low);
  if (low != round_to<Float>(x.high)) return std::nullopt;
  return low;
}

/// Ziv's loop: rounds the bracket evaluate(bits), with bits doubled from `first` up to `last`.
///
/// throws  std::runtime_error when `last` bits do not decide the rounding
template <floating_format Float, class Evaluate>
bits_of<Float> rounded(const Evaluate& evaluate, mpfr_prec_t first = 128, mpfr_prec_t last = 16384) {
  for (mpfr_prec_t bits = first; bits <= last; bits *= 2)
    if (const auto decided = round_to<Float>(evaluate(bits))) return *decided;
  throw std::runtime_error("oracle: a rounding is undecided");
}

}  // namespace ropewalk::oracle
