#pragma once
// Equality of values, where bits are not asked for.

#include "ropewalk/numeric/format.hpp"

namespace ropewalk {

/// Equal, except that the two zeros are one value.
template <floating_format Float>
bool same_value(bits_of<Float> a, bits_of<Float> b) {
  return same_bits<Float>(a, b) || (magnitude<Float>(a) == 0 && magnitude<Float>(b) == 0);
}

}  // namespace ropewalk
