#pragma once
// Recovers a fraction from its rounding to 256 bits. Frequencies in parts of a turn are often fractions, such
// as 1/10 of a turn, and then some whole positions rotate by exact quarter turns.

#include <cstdint>
#include <limits>
#include <optional>

#include "ropewalk/numeric/dyadic.hpp"
#include "ropewalk/numeric/enclosure.hpp"
#include "ropewalk/numeric/limbs.hpp"

namespace ropewalk {

/// numerator / denominator x 2^exponent.
struct near_fraction {
  std::uint64_t numerator = 0;
  std::uint64_t denominator = 1;
  int exponent = 0;
};

namespace detail {

inline constexpr int fraction_limbs = 4;  // of the number

/// a := a mod b. Returns the quotient; nothing if it has more than 64 bits.
///
/// domain  b is not 0
template <int N>
constexpr std::optional<std::uint64_t> divide_in_place(limbs<N>& a, const limbs<N>& b) {
  std::uint64_t quotient = 0;
  int shift = bit_length(a) - bit_length(b);
  if (shift >= limb_bits) return std::nullopt;
  for (; shift >= 0; --shift) {
    const limbs<N> part = shift_left(b, shift);
    if (compare(a, part) < 0) continue;
    subtract_from(a, part);
    quotient |= std::uint64_t{1} << shift;
  }
  return quotient;
}

/// quotient x last + before; nothing if it has more than 64 bits.
constexpr std::optional<std::uint64_t> next_term(std::uint64_t quotient, std::uint64_t last,
                                                 std::uint64_t before) {
  constexpr std::uint64_t most = std::numeric_limits<std::uint64_t>::max();
  if (last != 0 && quotient > (most - before) / last) return std::nullopt;
  return quotient * last + before;
}

}  // namespace detail

/// The fraction that rounds to the same 256 bits as the midpoint: a number from 1/2 to 1 whose numerator and
/// denominator have at most 64 bits, times a power of two. Nothing if there is none. There is at most one:
/// two fractions with denominators below 2^64 differ by more than 2^-128.
///
/// domain  x is positive
template <int N>
constexpr std::optional<near_fraction> fraction_near(const enclosure<N>& x) {
  using namespace detail;
  static_assert(N > fraction_limbs);
  // Euclid's algorithm on 2^256 and the significand s. The remainder after a convergent h / k of s / 2^256 is
  // |k s - h 2^256|, so the convergent rounds to s where twice that is at most k.
  limbs<fraction_limbs + 1> greater{}, smaller{};
  greater.word[fraction_limbs] = 1;
  for (int word = 0; word < fraction_limbs; ++word)
    smaller.word[word] = x.midpoint.significand.word[N - fraction_limbs + word];
  add_to(smaller, x.midpoint.significand.word[N - fraction_limbs - 1] >> (limb_bits - 1));
  std::uint64_t h = 0, h_before = 1, k = 1, k_before = 0;
  const auto rounds_to_it = [&] {
    return compare(shift_left(smaller, 1), resize<fraction_limbs + 1>(limbs_of<1>(k))) <= 0;
  };
  while (!rounds_to_it()) {
    const auto quotient = divide_in_place(greater, smaller);
    if (!quotient) return std::nullopt;
    const auto next_h = next_term(*quotient, h, h_before), next_k = next_term(*quotient, k, k_before);
    if (!next_h || !next_k) return std::nullopt;
    h_before = h, h = *next_h, k_before = k, k = *next_k;
    const limbs<fraction_limbs + 1> rest = greater;
    greater = smaller, smaller = rest;
  }
  return near_fraction{h, k, x.midpoint.exponent + limb_bits * N};
}

}  // namespace ropewalk
