#pragma once
// Equality of values, for laws that do not ask for equal bits.

#include "ropewalk/numeric/format.hpp"

namespace ropewalk {

/// Whether two numbers are equal, where -0 equals +0 and every NaN equals every NaN.
template <floating_format Float>
bool same_value(bits_of<Float> a, bits_of<Float> b) {
  return same_bits<Float>(a, b) || (magnitude<Float>(a) == 0 && magnitude<Float>(b) == 0);
}

}  // namespace ropewalk
