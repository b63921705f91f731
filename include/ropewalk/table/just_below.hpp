#pragma once
// Rounding of numbers that are known to lie below another by less than anything that a format can tell.

#include "ropewalk/numeric/enclosure.hpp"
#include "ropewalk/numeric/round.hpp"

namespace ropewalk::detail {

/// Rounds what lies below x in magnitude by less than x's last place, but by more than nothing: what is true of a
/// cosine or a sine of an angle that is not 0 and whose square N limbs do not hold. An x that is a tie is decided so.
///
/// domain  x != 0; decided when x is exact
template <floating_format Float, int N>
constexpr rounding<Float> round_just_below(const enclosure<N>& x) {
  if (!is_exact(x)) return {};
  limbs<N> below = x.midpoint.significand;
  subtract_from(below, limbs_of<N>(1));
  return {round_magnitude<Float>(x.midpoint.negative, below, x.midpoint.exponent, true), true};
}

}  // namespace ropewalk::detail
