#pragma once
// From enclosures to the binary64 numbers of a report: rounded up, never to nearest.

#include <cmath>
#include <limits>

#include "ropewalk/numeric/enclosure.hpp"

namespace ropewalk {

/// A binary64 not below the radius; infinity beyond binary64.
inline double upper_binary64(const radius& r) {
  if (is_zero(r)) return 0;
  if (r.exponent > 991) return std::numeric_limits<double>::infinity();
  return std::ldexp(static_cast<double>(r.significand), r.exponent < -1074 ? -1074 : r.exponent);  // exact
}

/// A binary64 not below |x|.
template <int N>
double upper_binary64(const enclosure<N>& x) {
  return upper_binary64(magnitude_above(x));
}

}  // namespace ropewalk
