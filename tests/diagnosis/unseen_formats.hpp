#pragma once
// Formats of elements, for unseen_faults.cpp: how elements are loaded, and rounded to nearest even as they
// are stored.

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>

namespace unseen {

struct binary64 {
  using stored = std::uint64_t;
  using number = double;
  static number load(stored bits) { return std::bit_cast<double>(bits); }
  static stored store(number value) { return std::bit_cast<stored>(value); }
};

struct binary32 {
  using stored = std::uint32_t;
  using number = float;
  static number load(stored bits) { return std::bit_cast<float>(bits); }
  static stored store(number value) { return std::bit_cast<stored>(value); }
};

struct binary16 {
  using stored = std::uint16_t;
  using number = float;
  static number load(stored bits) {
    const std::uint32_t sign = (bits & 0x8000u) << 16, exponent = (bits >> 10) & 31u, fraction = bits & 1023u;
    if (exponent == 0) {
      const float magnitude = static_cast<float>(fraction) * 0x1p-24f;
      return sign != 0 ? -magnitude : magnitude;
    }
    const std::uint32_t widened = exponent == 31 ? 255u : exponent + 112u;
    return std::bit_cast<float>(sign | widened << 23 | fraction << 13);
  }
  static stored store(number value) {
    const std::uint32_t bits = std::bit_cast<std::uint32_t>(value);
    const std::uint32_t sign = (bits >> 16) & 0x8000u, magnitude = bits & 0x7fffffffu;
    std::uint32_t rounded = 0;
    if (magnitude > 0x7f800000u) {  // NaN
      rounded = 0x7e00u;
    } else if (magnitude >= 0x477ff000u) {  // 65520 and beyond
      rounded = 0x7c00u;
    } else if (magnitude < 0x38800000u) {  // below 2^-14: the sum's last bit is 2^-24
      rounded = std::bit_cast<std::uint32_t>(std::bit_cast<float>(magnitude) + 0.5f) - 0x3f000000u;
    } else {
      rounded = (magnitude + 0xfffu + ((magnitude >> 13) & 1u) - 0x38000000u) >> 13;
    }
    return static_cast<stored>(sign | rounded);
  }
};

struct bfloat16 {
  using stored = std::uint16_t;
  using number = float;
  static number load(stored bits) { return std::bit_cast<float>(static_cast<std::uint32_t>(bits) << 16); }
  static stored store(number value) {
    const std::uint32_t bits = std::bit_cast<std::uint32_t>(value);
    if ((bits & 0x7fffffffu) > 0x7f800000u) return static_cast<stored>(bits >> 16 | 64u);  // NaN
    return static_cast<stored>((bits + 0x7fffu + ((bits >> 16) & 1u)) >> 16);
  }
};

template <class Format>
typename Format::number load(const std::byte* from) {
  typename Format::stored bits;
  std::memcpy(&bits, from, sizeof bits);
  return Format::load(bits);
}

template <class Format>
void store(std::byte* to, typename Format::number value) {
  const typename Format::stored bits = Format::store(value);
  std::memcpy(to, &bits, sizeof bits);
}

}  // namespace unseen
