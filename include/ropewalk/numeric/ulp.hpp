#pragma once
// Distance between two numbers of a format, counted in representable numbers.

#include <cstdint>

#include "ropewalk/numeric/format.hpp"

namespace ropewalk {

/// Index of a finite or infinite number among the format's numbers: 0 for both zeros, 1 for the smallest
/// positive subnormal, -1 for the largest negative one.
template <floating_format Float>
constexpr std::int64_t ordinal(bits_of<Float> bits) {
  const auto size = static_cast<std::int64_t>(magnitude<Float>(bits));
  return is_negative<Float>(bits) ? -size : size;
}

/// Number of steps from a to b along the format's numbers; 0 between the two zeros and between two NaNs.
///
/// units   numbers of the format
/// error   none; 2^64 - 1 if exactly one of the two is a NaN
template <floating_format Float>
constexpr std::uint64_t ulp_distance(bits_of<Float> a, bits_of<Float> b) {
  if (is_nan<Float>(a) || is_nan<Float>(b))
    return is_nan<Float>(a) && is_nan<Float>(b) ? 0 : ~std::uint64_t{0};
  const std::int64_t x = ordinal<Float>(a), y = ordinal<Float>(b);
  return x < y ? static_cast<std::uint64_t>(y) - static_cast<std::uint64_t>(x)
               : static_cast<std::uint64_t>(x) - static_cast<std::uint64_t>(y);
}

}  // namespace ropewalk
