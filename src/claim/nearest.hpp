#pragma once
// Converts enclosed numbers for display, and compares them.

#include <cmath>

#include "ropewalk/numeric/enclosure.hpp"
#include "ropewalk/numeric/round.hpp"

namespace ropewalk::claim {

/// The binary64 nearest to an enclosed number; a NaN if the enclosure does not decide it.
template <int N>
double nearest(const enclosure<N>& x) {
  const rounding<double> result = round<double>(x);
  return result.decided ? from_bits<double>(result.bits) : std::nan("");
}

/// Whether the enclosures decide that x is below y.
template <int N>
bool is_below(const enclosure<N>& x, const enclosure<N>& y) {
  return compare(x, y) == order::less;
}

}  // namespace ropewalk::claim
