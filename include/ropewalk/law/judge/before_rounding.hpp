#pragma once
// Real numbers behind rounded ones.

#include <cstdint>

#include "ropewalk/numeric/enclosure.hpp"
#include "ropewalk/numeric/format.hpp"

namespace ropewalk::detail {

/// The exact number that was rounded to a binary64: within half a unit of its last place.
///
/// domain  a finite number
template <int N>
constexpr enclosure<N> before_rounding(std::uint64_t bits) {
  return {exact_dyadic_of_bits<N, double>(bits), radius_at_least(1, decode<double>(bits).exponent - 1)};
}

}  // namespace ropewalk::detail
