#pragma once
// The floating-point formats of tables and tensors, as bit patterns: binary64, binary32, binary16 (IEEE 754)
// and bfloat16. g++ 12 has no __bf16 and clang 14 no constexpr _Float16, so the 16-bit formats are structs
// of bits.

#include <bit>
#include <concepts>
#include <cstdint>
#include <limits>

#include "ropewalk/config/closed_set.hpp"

namespace ropewalk {

/// IEEE 754 binary16 (half precision), by its bits.
struct binary16 {
  std::uint16_t bits = 0;
  friend constexpr bool operator==(binary16, binary16) = default;
};

/// bfloat16: the upper half of a binary32, by its bits.
struct bfloat16 {
  std::uint16_t bits = 0;
  friend constexpr bool operator==(bfloat16, bfloat16) = default;
};

namespace detail {

template <class Bits, int Precision, int ExponentBits>
struct binary_format {
  using bits_type = Bits;
  static constexpr int precision = Precision;  // significant bits, the hidden one included
  static constexpr int exponent_bits = ExponentBits;
  static constexpr int bias = (1 << (ExponentBits - 1)) - 1;
  static constexpr int smallest_exponent = 1 - bias;  // 2^smallest_exponent is the smallest normal number
  static constexpr int largest_exponent = bias;       // exponent of the largest finite number
  // 2^smallest_ulp_exponent is the smallest subnormal.
  static constexpr int smallest_ulp_exponent = smallest_exponent - (Precision - 1);
  static constexpr int total_bits = std::numeric_limits<Bits>::digits;
  static constexpr Bits sign_bit = static_cast<Bits>(Bits{1} << (total_bits - 1));
  static constexpr Bits fraction_mask = static_cast<Bits>((Bits{1} << (Precision - 1)) - 1);
  static constexpr Bits infinity =
      static_cast<Bits>(static_cast<Bits>((Bits{1} << ExponentBits) - 1) << (Precision - 1));
  static constexpr Bits quiet_nan = static_cast<Bits>(infinity | (Bits{1} << (Precision - 2)));
};

}  // namespace detail

/// Properties of a format: precision, exponent range, masks. Defined for the formats of `all_formats`.
template <class Float>
struct format;
template <>
struct format<double> : detail::binary_format<std::uint64_t, 53, 11> {
  static constexpr const char* name = "f64";
};
template <>
struct format<float> : detail::binary_format<std::uint32_t, 24, 8> {
  static constexpr const char* name = "f32";
};
template <>
struct format<binary16> : detail::binary_format<std::uint16_t, 11, 5> {
  static constexpr const char* name = "f16";
};
template <>
struct format<bfloat16> : detail::binary_format<std::uint16_t, 8, 8> {
  static constexpr const char* name = "bf16";
};

template <class Float>
concept floating_format = requires {
  typename format<Float>::bits_type;
};

/// All formats of tables and tensors, in the order of their dtype numbers. New formats are added here.
using all_formats = type_list<double, float, binary16, bfloat16>;

// line(Float) for each format, for explicit instantiations: the preprocessor cannot read a type_list.
#define ROPEWALK_EACH_FORMAT(line) line(double) line(float) line(binary16) line(bfloat16)
#define ROPEWALK_FORMAT_BIT(Float) | (1 << index_of<Float, all_formats>)
static_assert((0 ROPEWALK_EACH_FORMAT(ROPEWALK_FORMAT_BIT)) == (1 << all_formats::size) - 1);
#undef ROPEWALK_FORMAT_BIT

/// Calls visit.operator()<Float>() for each format.
template <class Visit>
constexpr void for_each_format(Visit visit) {
  for_each_type(all_formats{}, visit);
}

template <floating_format Float>
using bits_of = typename format<Float>::bits_type;

/// Bit pattern of a number.
template <floating_format Float>
constexpr bits_of<Float> to_bits(Float value) {
  return std::bit_cast<bits_of<Float>>(value);
}

/// Number with a bit pattern.
template <floating_format Float>
constexpr Float from_bits(bits_of<Float> bits) {
  return std::bit_cast<Float>(bits);
}

/// Whether the sign bit is set, including that of a zero or a NaN.
template <floating_format Float>
constexpr bool is_negative(bits_of<Float> bits) {
  return (bits & format<Float>::sign_bit) != 0;
}

/// The bits with the sign cleared: they order finite numbers and infinity by absolute value.
template <floating_format Float>
constexpr bits_of<Float> magnitude(bits_of<Float> bits) {
  return static_cast<bits_of<Float>>(bits & static_cast<bits_of<Float>>(~format<Float>::sign_bit));
}

/// Whether the bits are a NaN, quiet or signalling.
template <floating_format Float>
constexpr bool is_nan(bits_of<Float> bits) {
  return magnitude<Float>(bits) > format<Float>::infinity;
}

/// Whether the bits are an infinity of either sign.
template <floating_format Float>
constexpr bool is_infinite(bits_of<Float> bits) {
  return magnitude<Float>(bits) == format<Float>::infinity;
}

/// Whether the bits are a finite number.
template <floating_format Float>
constexpr bool is_finite(bits_of<Float> bits) {
  return magnitude<Float>(bits) < format<Float>::infinity;
}

/// A finite number as (-1)^negative significand 2^exponent, significand an integer below 2^precision.
struct decoded {
  bool negative = false;
  std::uint64_t significand = 0;
  int exponent = 0;
};

/// Decodes a finite number.
///
/// domain  finite bits
template <floating_format Float>
constexpr decoded decode(bits_of<Float> bits) {
  using traits = format<Float>;
  const bits_of<Float> size = magnitude<Float>(bits);
  const int field = static_cast<int>(size >> (traits::precision - 1));
  const std::uint64_t fraction = static_cast<std::uint64_t>(size & traits::fraction_mask);
  if (field == 0) return {is_negative<Float>(bits), fraction, traits::smallest_ulp_exponent};
  return {is_negative<Float>(bits), fraction | (std::uint64_t{1} << (traits::precision - 1)),
          traits::smallest_ulp_exponent + field - 1};
}

/// Whether the bits are equal, or both are NaNs: the project's meaning of "equal".
template <floating_format Float>
constexpr bool same_bits(bits_of<Float> a, bits_of<Float> b) {
  return a == b || (is_nan<Float>(a) && is_nan<Float>(b));
}

}  // namespace ropewalk
