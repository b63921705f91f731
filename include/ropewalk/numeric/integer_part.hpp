#pragma once
// Floors and ceilings of enclosures. They are decided if they are the same for every number of the enclosure.

#include <cstdint>
#include <type_traits>

#include "ropewalk/numeric/compiled_once.hpp"
#include "ropewalk/numeric/enclosure.hpp"

namespace ropewalk {

/// An integer, and whether it is certain.
struct decided_integer {
  std::int64_t value = 0;
  bool decided = false;
};

/// Largest integer not above a. domain  |a| < 2^62, else undecided
template <int N>
constexpr decided_integer floor(const dyadic<N>& a) {
  if (is_zero(a)) return {0, true};
  if (top_exponent(a) > 62) return {};
  if (top_exponent(a) <= 0) return {a.negative ? -1 : 0, true};
  const int dropped = -a.exponent;  // positive: the integer part has at most 62 of the 64 N bits
  const auto whole = static_cast<std::int64_t>(shift_right(a.significand, dropped).word[0]);
  const bool cut = any_bit_below(a.significand, dropped);
  return {a.negative ? -whole - (cut ? 1 : 0) : whole, true};
}

namespace detail {

template <int N>
constexpr decided_integer floor_of_both_ends(const enclosure<N>& x) {
  if (is_exact(x)) return floor(x.midpoint);
  // `add` may drop up to 2 units in the last place of its result. The 8 units of the midpoint cover them;
  // where the result's units are larger, the radius's rounding up covers them.
  const radius reach = is_zero(x.midpoint) ? x.error : x.error + radius_at_least(1, x.midpoint.exponent + 3);
  const dyadic<N> step = exact_radius<N>(reach).midpoint;
  const decided_integer low = floor(add(x.midpoint, negate(step)).value),
                        high = floor(add(x.midpoint, step).value);
  return {low.value, low.decided && high.decided && low.value == high.value};
}

/// Run-time version of the function below, compiled once (compiled_once.hpp).
template <int N>
struct floor_at_run_time {
  static decided_integer of(const enclosure<N>& x);
};
template <int N>
decided_integer floor_at_run_time<N>::of(const enclosure<N>& x) {
  return floor_of_both_ends(x);
}
ROPEWALK_COMPILED_ONCE(floor_at_run_time);

}  // namespace detail

/// Largest integer not above x; decided if it is the same for every number of the enclosure.
template <int N>
constexpr decided_integer floor(const enclosure<N>& x) {
  return std::is_constant_evaluated() ? detail::floor_of_both_ends(x) : detail::floor_at_run_time<N>::of(x);
}

/// Smallest integer not below x; decided if it is the same for every number of the enclosure.
template <int N>
constexpr decided_integer ceiling(const enclosure<N>& x) {
  const decided_integer integer = floor(-x);
  return {-integer.value, integer.decided};
}

/// A number as quarters, from 0 to 3, and a rest of at most one eighth: a = quarters / 4 + rest modulo 1.
template <int N>
struct split_quarters {
  int quarters = 0;
  dyadic<N> rest{};
};

/// Splits a number into the nearest number of quarters, ties away from zero, and the rest.
///
/// error   none
template <int N>
constexpr split_quarters<N> split_into_quarters(const dyadic<N>& a) {
  const int fraction_bits = -(a.exponent + 2);  // of 4 a
  if (is_zero(a) || fraction_bits > limb_bits * N + 1) return {0, a};
  if (fraction_bits <= 0) {
    const int low = fraction_bits > -2 ? static_cast<int>((a.significand.word[0] << -fraction_bits) & 3) : 0;
    return {a.negative ? (4 - low) & 3 : low, {}};
  }
  limbs<N> rest = a.significand;
  int whole = 0;
  if (fraction_bits < limb_bits * N) {
    whole = static_cast<int>(shift_right(rest, fraction_bits).word[0] & 3);
    subtract_from(rest, shift_left(shift_right(rest, fraction_bits), fraction_bits));
  }
  const bool round_up = fraction_bits <= limb_bits * N && bit_at(rest, fraction_bits - 1);
  if (round_up) {
    limbs<N + 1> product = shift_left(limbs_of<N + 1>(1), fraction_bits);
    subtract_from(product, resize<N + 1>(rest));
    rest = resize<N>(product);
    whole = (whole + 1) & 3;
  }
  return {a.negative ? (4 - whole) & 3 : whole, truncate<N>(a.negative != round_up, rest, a.exponent).value};
}

}  // namespace ropewalk
