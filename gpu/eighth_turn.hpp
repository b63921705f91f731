#pragma once
// Constants of the shaders' integer arithmetic: the polynomials of shaders/turn.glsl for sine and cosine of y
// eighths of a turn, 0 <= y < 1, and the error bounds of the rounding tests. The shaders' constants are
// printed from here.

#include <array>
#include <cstddef>
#include <cstdint>

#include "ropewalk/function/constants.hpp"
#include "ropewalk/table/turns_table.hpp"

namespace ropewalk::eighth_turn {

/// sin(y pi / 4) = y (sine[0] - w (sine[1] - w (... ))), w = y y; coefficient k has sine_places[k] binary
/// places.
// sollya: fpminimax(sin(pi/4*x), [|1,3,5,7,9,11|], [|64,64,64,46,53,60|], [1b-30;1], relative, fixed)
inline constexpr std::uint64_t sine[] = {0xc90fdaa22167c38d, 0x14abbce62577c4ca, 0x00a335e3387ee288,
                                         0x99696315,         0xa838df8a,         0x77539b27};
inline constexpr int sine_places[] = {64, 64, 64, 46, 53, 60};

/// cos(y pi / 4) = 1 - w (cosine[1] - w (cosine[2] - ...)); cosine[0], which is 1, is not stored.
// sollya: fpminimax(cos(pi/4*x), [|2,4,6,8,10,12|], [|64,64,64,49,56,64|], [1b-30;1], absolute, fixed, 1)
inline constexpr std::uint64_t cosine[] = {
    0, 0x4ef4f326f9169304, 0x040f07c206c52f88, 0x00155d3c7dcb5f8c, 0x787d3eff, 0x69b28025, 0x7cfbd041};
inline constexpr int cosine_places[] = {0, 64, 64, 64, 49, 56, 64};

/// Error bound of a fast value, factor included, in units of 2^-64 of its significand, which is at least 1/2.
inline constexpr std::uint32_t fast_error = 1u << 20;
/// Largest shift that normalises a fast sine: the error of the turns grows with it and would exceed
/// fast_error beyond.
inline constexpr int fast_places = 45;
/// Error bound of a slow value in units of 2^-96 of such a significand, excluding the error of the turns,
/// which is 8 units, times 2^places for a sine that was shifted up. Beyond slow_places a sine is undecided.
inline constexpr std::uint32_t slow_error = 1u << 12;
inline constexpr int slow_places = 45;

/// Bits of the significand of a position in binary64.
inline constexpr int position_bits = 53;
/// The phase of such a position is computed with 192 bits, so that its error is 2^-real_places of that of a
/// whole position's phase: the error of a sine that was shifted up grows only beyond this shift.
inline constexpr int real_places = 41;
/// The turns of a position's last place are at most 2^most_dropped: beyond it, the error of their 256 bits
/// matters, unless they are exact.
inline constexpr int most_dropped = 65;

/// Error bound of ALiBi's product of slope and distance in shaders/bias.comp, in units of 2^-96 of such a
/// significand.
inline constexpr std::uint32_t slope_error = 2;

inline constexpr int sine_terms = 13, cosine_terms = 14;
using words = turn_fraction<4>;  // a fraction of 128 bits, lowest word first

/// (pi / 4)^power / power!, to 128 bits; all ones for 1.
constexpr words series_term(int power) {
  enclosure<3> term = enclosure<3>::of(1);
  const auto quarter_pi = times_power_of_two(pi<3>(), -2);
  for (int k = 1; k <= power; ++k) term = term * quarter_pi / enclosure<3>::of(k);
  return power == 0 ? words{~0u, ~0u, ~0u, ~0u} : round_fraction<4>(term).bits;
}

template <int Terms, int First>
constexpr std::array<words, static_cast<std::size_t>(Terms)> series() {
  std::array<words, static_cast<std::size_t>(Terms)> result{};
  for (int i = 0; i < Terms; ++i) result[static_cast<std::size_t>(i)] = series_term(2 * i + First);
  return result;
}

inline constexpr auto sine_series = series<sine_terms, 1>();
inline constexpr auto cosine_series = series<cosine_terms, 0>();

}  // namespace ropewalk::eighth_turn
