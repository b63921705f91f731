#pragma once
// The canonical rotation of one channel pair, in integer arithmetic on bit patterns: the mirror that every
// canonical kernel reproduces, for every input, and that no compiler flag and no floating environment can
// change.

#include "ropewalk/kernel/dtype.hpp"
#include "ropewalk/numeric/float_arithmetic.hpp"
#include "ropewalk/numeric/format.hpp"

namespace ropewalk {

/// Two channels, or a table entry (cos, sin) with the attention factor included, by their bits.
template <floating_format Float>
struct bits_pair {
  bits_of<Float> first{};
  bits_of<Float> second{};
  friend constexpr bool operator==(const bits_pair&, const bits_pair&) = default;
};

/// The table entry that turns backward: a R(-t), sine negated, +0 included.
template <floating_format Table>
constexpr bits_pair<Table> backward(bits_pair<Table> cos_sin) {
  return {cos_sin.first, negate<Table>(cos_sin.second)};
}

/// The pair turned: (RN(RN(x0 c) - RN(x1 s)), RN(RN(x0 s) + RN(x1 c))), no fused multiply-add, in
/// rotation_format; 16-bit data widen exactly and are rounded once at the end.
///
/// shape   one pair of channels
/// domain  every bit pattern; a NaN comes out as format::quiet_nan
/// error   this is the definition: its distance from a R(t) x is bounded by the accuracy law's constants
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
