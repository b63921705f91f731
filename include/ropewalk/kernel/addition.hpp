#pragma once
// The canonical addition of one table entry, in integer arithmetic on bit patterns. Canonical kernels that
// add a row or a bias reproduce its bits.

#include "ropewalk/kernel/rotation.hpp"

namespace ropewalk {

/// Sum x + entry: x is widened exactly to rotation_format, added there, and the sum rounded once to the
/// data's format.
///
/// shape   one element, and one entry that is correctly rounded to rotation_format
/// domain  every bit pattern; a NaN comes out as format::quiet_nan
/// error   this is the definition; addition_bound bounds its distance from the exact sum
template <floating_format Float>
constexpr bits_of<Float> add_entry(bits_of<Float> x, bits_of<rotation_format<Float>> entry) {
  using wide = rotation_format<Float>;
  return convert<Float, wide>(add<wide>(convert<wide, Float>(x), entry));
}

}  // namespace ropewalk
