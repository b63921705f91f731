#pragma once
// Rounds a number that lies below a known number by less than any working precision resolves.

#include "ropewalk/numeric/enclosure.hpp"
#include "ropewalk/numeric/round.hpp"

namespace ropewalk::detail {

/// Rounds a number whose magnitude is below x's by more than 0 and less than one unit of x's last limb. If N
/// limbs do not resolve the square of a nonzero angle, its cosine lies below 1, and its sine below the angle,
/// in this way. This decides the rounding even if x is a tie.
///
/// domain  x != 0; decided only if x is exact
template <floating_format Float, int N>
constexpr rounding<Float> round_just_below(const enclosure<N>& x) {
  if (!is_exact(x)) return {};
  limbs<N> below = x.midpoint.significand;
  subtract_from(below, limbs_of<N>(1));
  return {round_magnitude<Float>(x.midpoint.negative, below, x.midpoint.exponent, true), true};
}

}  // namespace ropewalk::detail
