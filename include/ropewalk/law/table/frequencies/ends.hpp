#pragma once
// The ends of the range in which a scaling rule may leave a frequency, correctly rounded.

#include <cstdint>

#include "ropewalk/config/rope.hpp"
#include "ropewalk/encoding/rope.hpp"
#include "ropewalk/numeric/round.hpp"

namespace ropewalk {

/// Bits of a pair's unscaled frequency divided by `divisor`, rounded to binary64.
///
/// error   correctly rounded; `divisor` is exact
inline std::uint64_t nearest_divided_by(double divisor, int pair, const rope& config) {
  return round_with_enough_limbs<double>("a divided frequency", [&]<int N>() {
    return enclosure<N>::of(1) /
           (detail::base_power<N>(pair, config, share<N>(config)) * enclosure<N>::of(divisor));
  });
}

/// Bits of a pair's unscaled frequency, rounded to binary64.
inline std::uint64_t nearest_unscaled(int pair, const rope& config) {
  return nearest_divided_by(1, pair, config);
}

/// Bits of a pair's unscaled frequency divided by the rule's whole factor, rounded to binary64.
inline std::uint64_t nearest_divided(int pair, const rope& config) {
  return round_with_enough_limbs<double>("a divided frequency", [&]<int N>() {
    const exact_factor<N> factor = whole_factor<N>(config);
    return factor.denominator / (detail::base_power<N>(pair, config, share<N>(config)) * factor.numerator);
  });
}

}  // namespace ropewalk
