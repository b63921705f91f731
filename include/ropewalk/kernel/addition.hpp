#pragma once
// The canonical addition of one table entry, in integer arithmetic on bit patterns: the mirror that kernels which add a row
// or a bias reproduce.

#include "ropewalk/kernel/rotation.hpp"

namespace ropewalk {

/// x + t: widened exactly to rotation_format, added there, rounded once to the data's format.
///
/// shape   one element and the entry, correctly rounded to rotation_format, that is added to it
/// domain  every bit pattern; a NaN comes out as format::quiet_nan
/// error   this is the definition: addition_bound says how far it is from x + t over real numbers
template <floating_format Float>
constexpr bits_of<Float> add_entry(bits_of<Float> x, bits_of<rotation_format<Float>> entry) {
  using wide = rotation_format<Float>;
  return convert<Float, wide>(add<wide>(convert<wide, Float>(x), entry));
}

}  // namespace ropewalk
