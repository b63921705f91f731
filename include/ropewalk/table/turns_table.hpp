#pragma once
// Frequencies in turns per position as binary fractions, rounded to nearest. They make a phase an integer:
// phase = position x turns mod 1 by wraparound, so phase(m) - phase(n) == phase(m - n) without any rounding.

#include <array>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "ropewalk/table/inv_freq_table.hpp"

namespace ropewalk {

/// A fraction of a turn: 32 x Words bits, least significant word first.
template <int Words>
using turn_fraction = std::array<std::uint32_t, static_cast<std::size_t>(Words)>;

template <int Words>
struct rounded_fraction {
  turn_fraction<Words> bits{};
  bool decided = false;
};

namespace detail {

template <int Words, int N>
constexpr rounded_fraction<Words> fraction_of_both_ends(const enclosure<N>& x) {
  constexpr int bits = 32 * Words;
  if (is_unbounded(x)) return {};
  if (is_zero(x.midpoint) && is_exact(x)) return {{}, true};
  if (x.midpoint.negative || (!is_zero(x.midpoint) && top_exponent(x.midpoint) + bits + 2 > limb_bits * N))
    return {};
  const auto nearest = [](const enclosure<N>& end) {
    const enclosure<N> moved = times_power_of_two(end, bits) + times_power_of_two(enclosure<N>::of(1), -1);
    if (is_zero(moved.midpoint) || moved.midpoint.negative) return limbs<N>{};
    const int down = -moved.midpoint.exponent;
    return down >= 0 ? shift_right(moved.midpoint.significand, down) : limbs<N>{};
  };
  // Eight more units of the last limb cover the truncation of the additions below.
  const radius reach = is_exact(x) ? radius{} : x.error + radius_at_least(1, x.midpoint.exponent + 3);
  const enclosure<N> step = exact_radius<N>(reach);
  const enclosure<N> middle{x.midpoint, {}};
  const limbs<N> low = nearest(middle - step), high = nearest(middle + step);
  rounded_fraction<Words> result{{}, low == high && limb_bits * N > bits};
  for (int i = 0; i < Words && i < 2 * N; ++i)
    result.bits[static_cast<std::size_t>(i)] = static_cast<std::uint32_t>(high.word[i / 2] >> (32 * (i % 2)));
  return result;
}

/// Run-time version of round_fraction, compiled once (compiled_once.hpp).
template <int N, int Words>
struct fraction_at_run_time {
  static rounded_fraction<Words> of(const enclosure<N>& x);
};
template <int N, int Words>
rounded_fraction<Words> fraction_at_run_time<N, Words>::of(const enclosure<N>& x) {
  return fraction_of_both_ends<Words>(x);
}
ROPEWALK_COMPILED_ONCE(fraction_at_run_time, 3);
ROPEWALK_COMPILED_ONCE(fraction_at_run_time, 4);
ROPEWALK_COMPILED_ONCE(fraction_at_run_time, 6);
ROPEWALK_COMPILED_ONCE(fraction_at_run_time, 8);

}  // namespace detail

/// x modulo 1, rounded to nearest to 32 x Words bits; decided if the whole enclosure rounds to the same
/// result.
///
/// domain  x >= 0, its integer part and the fraction within N limbs, otherwise undecided; the integer part is
///         dropped
template <int Words, int N>
constexpr rounded_fraction<Words> round_fraction(const enclosure<N>& x) {
  return std::is_constant_evaluated() ? detail::fraction_of_both_ends<Words>(x)
                                      : detail::fraction_at_run_time<N, Words>::of(x);
}

/// Turns per position of one pair, to 32 x Words bits.
///
/// throws  std::invalid_argument naming the field and its value; undecided at the cap of Ziv's loop
template <int Words>
constexpr turn_fraction<Words> rope_turn_fraction(int pair, const rope& config) {
  return with_enough_limbs("turns",
                           [&]<int N>() { return round_fraction<Words>(rope_turns<N>(pair, config)); })
      .bits;
}

namespace detail {

template <int Words, rope Config, std::size_t Pair>
inline constexpr turn_fraction<Words> turn_fraction_of = [] {
  const auto at_hand = inv_freq_of<Config, static_cast<int>(Pair)> * inverse_two_pi<table_limbs>();
  const auto rounded = round_fraction<Words>(at_hand);
  return rounded.decided ? rounded.bits : rope_turn_fraction<Words>(static_cast<int>(Pair), Config);
}();

template <int Words, rope Config, std::size_t... Pair>
constexpr std::array<turn_fraction<Words>, sizeof...(Pair)> gather_turns(std::index_sequence<Pair...>) {
  return {turn_fraction_of<Words, Config, Pair>...};
}

}  // namespace detail

/// All frequencies of an encoding in turns, as 128-bit fractions, computed at compile time.
///
/// shape   uint32 [rotary_dim / 2][4], least significant word first
/// units   2^-128 turns per position
/// error   rounded to nearest
template <rope Config>
inline constexpr auto turns_table =
    detail::gather_turns<4, Config>(std::make_index_sequence<detail::checked_pair_count<Config>()>{});

/// All frequencies in turns with 32 x Words bits, computed at run time.
template <int Words>
std::vector<turn_fraction<Words>> turn_fractions(const rope& config) {
  validate(config);
  std::vector<turn_fraction<Words>> result;
  for (int pair = 0; pair < pair_count(config); ++pair)
    result.push_back(rope_turn_fraction<Words>(pair, config));
  return result;
}
ROPEWALK_COMPILED_FUNCTION(std::vector<turn_fraction<4>> turn_fractions<4>(const rope&));
ROPEWALK_COMPILED_FUNCTION(std::vector<turn_fraction<8>> turn_fractions<8>(const rope&));

}  // namespace ropewalk
