#pragma once
// Conversions of single elements as in the scalar code of engines: the values of `convert`, at a fraction of
// its cost. A NaN stays some NaN.

#include <cstdint>

#include "ropewalk/kernel/dtype.hpp"
#include "ropewalk/numeric/format.hpp"

namespace ropewalk::recipe {

/// Every number of binary16 in binary32, by its bits: a table, as ggml keeps one.
///
/// shape   [65536]
const float* numbers_of_binary16();

#ifdef __x86_64__
/// Whether the processor has AVX2, and with it F16C: instructions that convert between binary16 and binary32.
bool has_avx2();
#endif

/// An element in the format of products and sums.
template <floating_format Float>
rotation_format<Float> widened(bits_of<Float> bits, const float* of_binary16) {
  if constexpr (std::is_same_v<Float, binary16>)
    return of_binary16[bits];
  else if constexpr (std::is_same_v<Float, bfloat16>)
    return from_bits<float>(std::uint32_t{bits} << 16);
  else
    return from_bits<Float>(bits);
}

namespace detail {

inline std::uint16_t nearest_bfloat16(float value) {
  const std::uint32_t bits = to_bits(value);
  const std::uint32_t rounded = (bits + 0x7fff + (bits >> 16 & 1)) >> 16;  // half an ulp; ties to even
  return static_cast<std::uint16_t>(is_nan<float>(bits) ? format<bfloat16>::quiet_nan : rounded);
}

inline std::uint16_t nearest_binary16(float value) {
  constexpr int dropped = format<float>::precision - format<binary16>::precision;
  constexpr std::uint32_t rebias = (format<float>::bias - format<binary16>::bias) << 23;
  constexpr std::uint32_t smallest_normal = rebias + (1 << 23);
  constexpr std::uint32_t too_large = (format<float>::bias + format<binary16>::largest_exponent + 1) << 23;
  const std::uint32_t bits = magnitude<float>(to_bits(value));
  std::uint32_t rounded = (bits - rebias + (1 << (dropped - 1)) - 1 + (bits >> dropped & 1)) >> dropped;
  // The ulp of 1/2 is binary16's smallest subnormal: the sum's fraction is the rounded result.
  if (bits < smallest_normal) rounded = to_bits(from_bits<float>(bits) + 0.5f) - to_bits(0.5f);
  if (bits >= too_large)
    rounded = is_nan<float>(bits) ? format<binary16>::quiet_nan : format<binary16>::infinity;
  return static_cast<std::uint16_t>(rounded | (to_bits(value) >> 16 & format<binary16>::sign_bit));
}

}  // namespace detail

/// A number rounded to an element, to nearest even.
template <floating_format Float>
bits_of<Float> rounded(rotation_format<Float> value) {
  if constexpr (std::is_same_v<Float, binary16>)
    return detail::nearest_binary16(value);
  else if constexpr (std::is_same_v<Float, bfloat16>)
    return detail::nearest_bfloat16(value);
  else
    return to_bits(value);
}

}  // namespace ropewalk::recipe
