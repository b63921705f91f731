#pragma once
// Checks of a resolved encoding: every field is checked before a plan is made.

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <string>
#include <vector>

#include "ropewalk/config/position_range.hpp"
#include "ropewalk/kernel/error.hpp"
#include "ropewalk/kernel/head.hpp"
#include "ropewalk/kernel/kernel.h"
#include "ropewalk/kernel/pairing_number.hpp"
#include "ropewalk/numeric/format.hpp"
#include "ropewalk/numeric/limbs.hpp"
#include "ropewalk/numeric/round.hpp"

namespace ropewalk {

namespace detail {

/// Compares bits, because the caller may treat subnormals as zeros.
inline bool is_positive_finite(double value) {
  const std::uint64_t bits = to_bits(value);
  return bits != 0 && bits < format<double>::infinity;
}

inline bool is_not_negative_finite(double value) { return to_bits(value) < format<double>::infinity; }

inline void require_number(bool holds, const field_name& field, double value, const char* allowed) {
  if (!holds) refuse_field(field, "is " + std::to_string(value) + "; allowed: " + allowed);
}

/// Whether `words` are the upper half of `wide`, rounded to nearest, modulo 1. If `wide` is a rounding
/// midpoint, both neighbours are accepted: rounding to 256 bits may have moved the number onto the midpoint.
///
/// shape   words [4], wide [8], low word first
inline bool is_upper_half(const std::uint32_t* words, const std::uint32_t* wide) {
  const auto is_above_by = [&](std::uint64_t carry) {
    for (int i = 0; i < 4; ++i) {
      carry += wide[4 + i];
      if (words[i] != static_cast<std::uint32_t>(carry)) return false;
      carry >>= 32;
    }
    return true;
  };
  const bool is_middle = wide[3] == std::uint32_t{1} << 31 && (wide[0] | wide[1] | wide[2]) == 0;
  return is_above_by(wide[3] >> 31) || (is_middle && is_above_by(0));
}

/// The fractional part of a real number, truncated to 256 bits, low word first.
inline std::array<std::uint32_t, 8> fraction_of(const ropewalk_real& real) {
  const auto word_of = [&](int word) { return word >= 0 && word < 8 ? real.significand[word] : 0u; };
  std::array<std::uint32_t, 8> fraction{};
  for (int word = 0; word < 8; ++word) {
    const int from = 32 * word - 256 - real.exponent;  // bit of the significand
    const int first = from >> 5;
    const std::uint64_t two = word_of(first) | std::uint64_t{word_of(first + 1)} << 32;
    fraction[static_cast<std::size_t>(word)] = static_cast<std::uint32_t>(two >> (from & 31));
  }
  return fraction;
}

inline bool is_zero(const ropewalk_real& real) {
  return std::all_of(std::begin(real.significand), std::end(real.significand),
                     [](std::uint32_t word) { return word == 0; });
}

/// Checks turns_real of one pair against its inv_freq and turns.
inline void check_real_turns(const ropewalk_rotation& encoding, int pair) {
  const ropewalk_real& real = encoding.turns_real[pair];
  const field_name field{"", "turns_real", pair};
  const bool stands_still = encoding.inv_freq[pair] == 0;
  if (is_zero(real) != stands_still)
    refuse_field(field, "and inv_freq differ; allowed: both zero, or both above zero");
  if (stands_still) return;
  require_field((real.significand[7] >> 31) != 0, field, real.significand[7],
                "the highest bit set, or all zero");
  require_field(real.exponent >= -2048 && real.exponent <= 1024, field, real.exponent,
                "an exponent from -2048 to 1024");
  if (!is_upper_half(encoding.turns + 4 * pair, fraction_of(real).data()))
    refuse_field(field, "differs from turns; allowed: the number whose fraction rounds to turns");
}

inline void check_pairs(const ropewalk_rotation& encoding) {
  require_pointer(encoding.inv_freq, {"", "inv_freq"}, "rotary_dim / 2 numbers");
  require_pointer(encoding.turns, {"", "turns"}, "rotary_dim / 2 fractions of 4 words");
  require_aligned(encoding.inv_freq, {"", "inv_freq"});
  require_aligned(encoding.turns, {"", "turns"});
  require_aligned(encoding.turns_256, {"", "turns_256"});
  require_aligned(encoding.axis, {"", "axis"});
  require_aligned(encoding.turns_real, {"", "turns_real"});
  for (int pair = 0; pair < encoding.rotary_dim / 2; ++pair) {
    require_number(is_not_negative_finite(encoding.inv_freq[pair]), {"", "inv_freq", pair},
                   encoding.inv_freq[pair], "a finite number, 0 or above");
    if (encoding.turns_256 != nullptr &&
        !is_upper_half(encoding.turns + 4 * pair, encoding.turns_256 + 8 * pair))
      refuse_field({"", "turns", pair},
                   "differs from turns_256; allowed: the upper half of turns_256, rounded to nearest");
    if (encoding.turns_real != nullptr) check_real_turns(encoding, pair);
    if (encoding.axis != nullptr)
      require_field(encoding.axis[pair] >= 0 && encoding.axis[pair] < encoding.axes, {"", "axis", pair},
                    encoding.axis[pair], "a number from 0 to axes - 1");
  }
}

/// The run of each pair's axis, where pairs are half-split by axis.
///
/// domain  every pair's axis exists
inline std::vector<pair_run> checked_runs(const ropewalk_rotation& encoding) {
  if (encoding.pairing_in == ROPEWALK_HALF_SPLIT || encoding.pairing_out == ROPEWALK_HALF_SPLIT)
    refuse_field({"", "pairing_out"},
                 "and pairing_in are half-split and half-split by axis; allowed: the same pairing twice, or "
                 "interleaved and half-split by axis");
  const int pairs = encoding.rotary_dim / 2;
  const auto axis_of_pair = [&](int pair) { return encoding.axis == nullptr ? 0 : encoding.axis[pair]; };
  std::vector<pair_run> runs;
  for (int first = 0, end = 0; first < pairs; first = end) {
    while (end < pairs && axis_of_pair(end) == axis_of_pair(first)) ++end;
    require_field(end == pairs || axis_of_pair(end) > axis_of_pair(first), {"", "axis", end},
                  axis_of_pair(std::min(end, pairs - 1)),
                  "at least the entry before it, where pairs are half-split by axis");
    runs.resize(static_cast<std::size_t>(end), {first, end - first});
  }
  return runs;
}

inline void check_attention(const ropewalk_rotation& encoding) {
  require_number(is_positive_finite(encoding.attention_factor), {"", "attention_factor"},
                 encoding.attention_factor, "a finite number above 0");
  const ropewalk_real& real = encoding.attention_real;
  limbs<4> significand;
  for (int i = 0; i < 8; ++i) significand.word[i / 2] |= std::uint64_t{real.significand[i]} << (32 * (i % 2));
  if (is_zero(significand)) return;
  const field_name field{"", "attention_real"};
  require_field((real.significand[7] >> 31) != 0, field, real.significand[7],
                "the highest bit set, or all zero");
  require_field(real.exponent >= -2048 && real.exponent <= 2048, field, real.exponent,
                "the exponent of a binary64");
  // Either neighbour of a rounding midpoint is accepted: rounding to 256 bits may have moved the value there.
  limbs<4> below = significand;
  for (std::uint64_t& word : below.word)
    if (word-- != 0) break;
  const std::uint64_t up = round_magnitude<double>(false, significand, real.exponent, true);
  const std::uint64_t down = round_magnitude<double>(false, below, real.exponent, true);
  const std::uint64_t bits = to_bits(encoding.attention_factor);
  require_number(bits == up || bits == down, field, from_bits<double>(up),
                 "a number that rounds to attention_factor");
}

}  // namespace detail

/// Checks every field of a resolved encoding and returns its layout.
///
/// throws  refused_call naming the field, its value and what is allowed
inline rotated_layout check(const ropewalk_rotation& encoding) {
  require_field(encoding.head_dim >= 1 && encoding.head_dim <= largest_head_dim, {"", "head_dim"},
                encoding.head_dim, "a number from 1 to 65536");
  require_field(
      encoding.rotary_dim >= 2 && encoding.rotary_dim % 2 == 0 && encoding.rotary_dim <= encoding.head_dim,
      {"", "rotary_dim"}, encoding.rotary_dim, "an even number from 2 to head_dim");
  require_field(
      encoding.rotary_begin >= 0 && encoding.rotary_begin <= encoding.head_dim - encoding.rotary_dim,
      {"", "rotary_begin"}, encoding.rotary_begin, "a number from 0 to head_dim - rotary_dim");
  const auto layout_of = [](std::int32_t number, const char* field) {
    require_field(is_pairing(number), {"", field}, number,
                  "0 (interleaved), 1 (half-split) or 2 (half-split by axis)");
    return pairing_of(number);
  };
  require_field(encoding.axes >= 1 && encoding.axes <= largest_head_dim, {"", "axes"}, encoding.axes,
                "a number from 1 to 65536");
  require_field(encoding.table_begin >= smallest_position && encoding.table_begin <= largest_position + 1,
                {"", "table_begin"}, encoding.table_begin, "a position from -2147483648 to 2147483647");
  require_field(encoding.table_end >= encoding.table_begin && encoding.table_end <= largest_position + 1,
                {"", "table_end"}, encoding.table_end, "a number from table_begin to 2147483648");
  require_field(encoding.seq_len >= 0 && encoding.seq_len <= largest_seq_len, {"", "seq_len"},
                encoding.seq_len, "a whole number from 0 to 2147483648");
  rotated_layout layout{
      {encoding.head_dim, layout_of(encoding.pairing_in, "pairing_in"),
       layout_of(encoding.pairing_out, "pairing_out"), static_cast<int>(encoding.rotary_begin)},
      encoding.rotary_dim};
  detail::check_pairs(encoding);
  detail::check_attention(encoding);
  if (is_by_axis(layout.head)) layout.halves = detail::checked_runs(encoding);
  return layout;
}

}  // namespace ropewalk
