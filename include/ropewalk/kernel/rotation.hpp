#pragma once
// The canonical rotation of one channel pair, in integer arithmetic on bit patterns. Every canonical kernel
// reproduces its bits for every input; no compiler flag and no floating-point environment can change them.

#include "ropewalk/kernel/dtype.hpp"
#include "ropewalk/numeric/float_arithmetic.hpp"
#include "ropewalk/numeric/format.hpp"

namespace ropewalk {

/// Bits of two channels, or of a table entry (cos, sin), attention factor included.
template <floating_format Float>
struct bits_pair {
  bits_of<Float> first{};
  bits_of<Float> second{};
  friend constexpr bool operator==(const bits_pair&, const bits_pair&) = default;
};

/// The table entry of the backward rotation a R(-t): the sine is negated, even if it is +0.
template <floating_format Table>
constexpr bits_pair<Table> backward(bits_pair<Table> cos_sin) {
  return {cos_sin.first, negate<Table>(cos_sin.second)};
}

/// The rotated pair (RN(RN(x0 c) - RN(x1 s)), RN(RN(x0 s) + RN(x1 c))), without fused multiply-add, in
/// rotation_format. 16-bit data is widened exactly and rounded once at the end.
///
/// shape   one pair of channels
/// domain  every bit pattern; a NaN comes out as format::quiet_nan
/// error   this is the definition; accuracy_bound bounds its distance from a R(t) x
template <floating_format Float>
constexpr bits_pair<Float> rotate_pair(bits_pair<Float> x, bits_pair<rotation_format<Float>> cos_sin) {
  using wide = rotation_format<Float>;
  const bits_of<wide> x0 = convert<wide, Float>(x.first);
  const bits_of<wide> x1 = convert<wide, Float>(x.second);
  const auto [c, s] = cos_sin;
  const bits_of<wide> y0 = subtract<wide>(multiply<wide>(x0, c), multiply<wide>(x1, s));
  const bits_of<wide> y1 = add<wide>(multiply<wide>(x0, s), multiply<wide>(x1, c));
  return {convert<Float, wide>(y0), convert<Float, wide>(y1)};
}

}  // namespace ropewalk
