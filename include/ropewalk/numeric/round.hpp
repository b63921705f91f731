#pragma once
// Correct rounding of an enclosure to nearest even, decided if every number of the enclosure rounds to the
// same result. Ziv's loop retries undecided roundings with more limbs, and throws at its cap.

#include <bit>
#include <cstdint>
#include <stdexcept>
#include <type_traits>

#include "ropewalk/numeric/compiled_once.hpp"
#include "ropewalk/numeric/enclosure.hpp"
#include "ropewalk/numeric/format.hpp"

namespace ropewalk {

/// A number of the format, and whether every number of the enclosure rounds to it.
template <floating_format Float>
struct rounding {
  bits_of<Float> bits{};
  bool decided = false;
};

/// (-1)^negative significand 2^exponent, rounded to nearest even. `sticky`: the significand was truncated,
/// and the exact one is above it by less than 1. Overflow gives infinity; underflow gives a subnormal or a
/// zero of the same sign.
template <floating_format Float, int N>
constexpr bits_of<Float> round_magnitude(bool negative, const limbs<N>& significand, int exponent,
                                         bool sticky) {
  using traits = format<Float>;
  const bits_of<Float> sign = negative ? traits::sign_bit : bits_of<Float>{0};
  const int length = bit_length(significand);
  if (length == 0) return sign;
  const int top = exponent + length - 1;  // 2^top <= magnitude < 2^(top + 1)
  if (top > traits::largest_exponent) return static_cast<bits_of<Float>>(sign | traits::infinity);
  const int lowest = top < traits::smallest_exponent ? traits::smallest_exponent : top;
  // Bits of the significand below the last place of the result.
  const int dropped = lowest - (traits::precision - 1) - exponent;
  std::uint64_t kept = 0;
  if (dropped > length) return sign;  // below half the smallest subnormal
  if (dropped <= 0) {
    kept = shift_left(significand, -dropped).word[0];
  } else {
    kept = shift_right(significand, dropped).word[0];
    const bool half = bit_at(significand, dropped - 1);
    if (half && (sticky || (kept & 1) != 0 || any_bit_below(significand, dropped - 1))) ++kept;
  }
  const std::uint64_t hidden = std::uint64_t{1} << (traits::precision - 1);
  const auto field = static_cast<std::uint64_t>(lowest - traits::smallest_exponent);
  // A carry out of the fraction increments the exponent field: the next power of two, or infinity.
  return static_cast<bits_of<Float>>(sign | static_cast<bits_of<Float>>(kept + field * hidden));
}

/// (-1)^negative (size +- error) 2^exponent rounded to nearest, in 128-bit arithmetic.
///
/// Undecided within the error of a rounding midpoint, or of zero, where the sign is unknown. Also undecided
/// in the largest binade and above, and where fewer than 3 or more than 126 bits lie below the last place.
template <floating_format Float>
constexpr rounding<Float> round_wide(bool negative, wide_word size, int exponent, std::uint64_t error) {
  using traits = format<Float>;
  const auto high = static_cast<std::uint64_t>(size >> limb_bits);
  const int length =
      high != 0 ? 128 - std::countl_zero(high) : 64 - std::countl_zero(static_cast<std::uint64_t>(size));
  const int top = length - 1 + exponent;
  if (length == 0 || top >= traits::largest_exponent || error >= hopeless_units) return {};
  const int lowest = top < traits::smallest_exponent ? traits::smallest_exponent : top;
  const int dropped = lowest - (traits::precision - 1) - exponent;
  if (dropped < 3 || dropped > 126) return {};
  const auto kept = static_cast<std::uint64_t>(size >> dropped);
  const wide_word rest = size - (static_cast<wide_word>(kept) << dropped);
  const wide_word half = static_cast<wide_word>(1) << (dropped - 1);
  const wide_word distance = rest > half ? rest - half : half - rest;
  // Below a power of two the ulp is halved: the error must stay below a quarter of the ulp above it.
  const bool decided =
      size > error && distance > error && (static_cast<wide_word>(error) >> (dropped - 2)) == 0;
  const auto field = static_cast<std::uint64_t>(lowest - traits::smallest_exponent);
  const std::uint64_t bits = kept + (rest > half ? 1 : 0) + (field << (traits::precision - 1));
  return {static_cast<bits_of<Float>>((negative ? traits::sign_bit : 0) | static_cast<bits_of<Float>>(bits)),
          decided};
}

/// An exact number rounded to the format, to nearest even.
template <floating_format Float, int N>
constexpr bits_of<Float> round(const dyadic<N>& x) {
  return round_magnitude<Float>(x.negative, x.significand, x.exponent, false);
}

namespace detail {

template <floating_format Float, int N>
constexpr rounding<Float> round_both_ends(const enclosure<N>& x) {
  if (is_exact(x)) return {round<Float>(x.midpoint), true};
  if (is_unbounded(x)) return {};
  if constexpr (N > 1) {  // the upper 128 bits nearly always suffice, at a fraction of the cost
    const auto top = (static_cast<wide_word>(x.midpoint.significand.word[N - 1]) << limb_bits) |
                     x.midpoint.significand.word[N - 2];
    const int exponent = x.midpoint.exponent + limb_bits * (N - 2);
    const auto result =
        round_wide<Float>(x.midpoint.negative, top, exponent, in_units(x.error, exponent) + 1);
    if (result.decided) return result;
  }
  // `add` may drop up to 2 units in the last place of its result. The 8 units of the midpoint cover them;
  // where the result's units are larger, the radius's rounding up covers them.
  const radius reach = is_zero(x.midpoint) ? x.error : x.error + radius_at_least(1, x.midpoint.exponent + 3);
  const dyadic<N> step = exact_radius<N>(reach).midpoint;
  const bits_of<Float> high = round<Float>(add(x.midpoint, step).value);
  const bits_of<Float> low = round<Float>(add(x.midpoint, negate(step)).value);
  return {high, high == low};
}

/// Run-time version of the function below, compiled once (compiled_once.hpp).
template <int N, floating_format Float>
struct rounding_at_run_time {
  static rounding<Float> of(const enclosure<N>& x);
};
template <int N, floating_format Float>
rounding<Float> rounding_at_run_time<N, Float>::of(const enclosure<N>& x) {
  return round_both_ends<Float>(x);
}
#define ROPEWALK_ROUNDING(Float) ROPEWALK_COMPILED_ONCE(rounding_at_run_time, Float);
ROPEWALK_EACH_FORMAT(ROPEWALK_ROUNDING)
#undef ROPEWALK_ROUNDING

}  // namespace detail

/// An enclosed number rounded to the format, to nearest even; decided if both ends round to the same result.
///
/// error   correctly rounded if decided
/// throws  nothing
template <floating_format Float, int N>
constexpr rounding<Float> round(const enclosure<N>& x) {
  return std::is_constant_evaluated() ? detail::round_both_ends<Float>(x)
                                      : detail::rounding_at_run_time<N, Float>::of(x);
}

/// Thrown when a rounding or a comparison is undecided at the cap of the working precision.
class undecided : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// Calls decide.operator()<N>() with N = 4, 6, 8, 12, 16 and 24 limbs until its result is `decided`.
///
/// throws  undecided after 24 limbs, 1536 bits
template <class Decide>
constexpr auto with_enough_limbs(const char* what, Decide decide) {
  if (const auto result = decide.template operator()<4>(); result.decided) return result;
  if (const auto result = decide.template operator()<6>(); result.decided) return result;
  if (const auto result = decide.template operator()<8>(); result.decided) return result;
  if (const auto result = decide.template operator()<12>(); result.decided) return result;
  if (const auto result = decide.template operator()<16>(); result.decided) return result;
  if (const auto result = decide.template operator()<24>(); result.decided) return result;
  throw undecided(what);
}

/// Ziv's loop: correctly rounds the number that evaluate.operator()<N>() encloses.
///
/// throws  undecided after 24 limbs
template <floating_format Float, class Evaluate>
constexpr bits_of<Float> round_with_enough_limbs(const char* what, Evaluate evaluate) {
  return with_enough_limbs(what, [&]<int N>() { return round<Float>(evaluate.template operator()<N>()); })
      .bits;
}

}  // namespace ropewalk
