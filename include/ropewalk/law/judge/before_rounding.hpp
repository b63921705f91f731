#pragma once
// The real numbers that round to a given number of a format, as an enclosure.

#include <cstdint>

#include "ropewalk/numeric/enclosure.hpp"
#include "ropewalk/numeric/format.hpp"

namespace ropewalk::detail {

/// Enclosure of every real number that rounds to a number of a format: half an ulp on either side.
///
/// domain  a finite number
template <int N, floating_format Float = double>
constexpr enclosure<N> before_rounding(bits_of<Float> bits) {
  return {exact_dyadic_of_bits<N, Float>(bits), radius_at_least(1, decode<Float>(bits).exponent - 1)};
}

}  // namespace ropewalk::detail
