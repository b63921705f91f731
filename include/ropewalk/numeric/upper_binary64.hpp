#pragma once
// Upper bounds of enclosures as binary64 numbers, for reports: rounded up, never to nearest.

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>

#include "ropewalk/numeric/enclosure.hpp"

namespace ropewalk {

/// A binary64 not below the radius; infinity from 2^1023 on.
inline double upper_binary64(const radius& radius) {
  if (is_zero(radius)) return 0;
  if (radius.exponent > 991) return std::numeric_limits<double>::infinity();
  constexpr int smallest = -1074;  // the exponent of the smallest subnormal number
  if (radius.exponent >= smallest)
    return std::ldexp(static_cast<double>(radius.significand), radius.exponent);  // exact
  const int dropped = std::min(smallest - radius.exponent, 32);                   // bits, of 32 at most
  const std::uint64_t kept =
      (std::uint64_t{radius.significand} + (std::uint64_t{1} << dropped) - 1) >> dropped;
  return std::ldexp(static_cast<double>(kept), smallest);
}

/// A binary64 not below |x|.
template <int N>
double upper_binary64(const enclosure<N>& x) {
  return upper_binary64(magnitude_above(x));
}

}  // namespace ropewalk
