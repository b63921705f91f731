#pragma once
// The real numbers that round to a given binary64, as an enclosure.

#include <cstdint>

#include "ropewalk/numeric/enclosure.hpp"
#include "ropewalk/numeric/format.hpp"

namespace ropewalk::detail {

/// Enclosure of every real number that rounds to a binary64: half an ulp on either side.
///
/// domain  a finite number
template <int N>
constexpr enclosure<N> before_rounding(std::uint64_t bits) {
  return {exact_dyadic_of_bits<N, double>(bits), radius_at_least(1, decode<double>(bits).exponent - 1)};
}

}  // namespace ropewalk::detail
