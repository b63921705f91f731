#pragma once
// Entries of the sinusoidal encoding's tables: sines and cosines, each correctly rounded.

#include <cstdint>

#include "ropewalk/encoding/sinusoidal.hpp"
#include "ropewalk/numeric/round.hpp"
#include "ropewalk/table/cos_sin_table.hpp"
#include "ropewalk/table/just_below.hpp"

namespace ropewalk {

namespace detail {

/// The sine of a tiny angle, which differs from the angle only by its cube, too little for any number of
/// limbs. Undecided for larger angles.
template <floating_format Float, int N>
constexpr rounding<Float> round_small_sine(int pair, const enclosure<N>& row, const sinusoidal& config) {
  const enclosure<N> angle = sinusoidal_angle(pair, row, config);
  const radius above = magnitude_above(angle);
  if (may_be_zero(angle) || 2 * (above.exponent + 32) > -limb_bits * N) return {};
  return round_just_below<Float>(angle);
}

/// Bits of cosine and sine of one pair at a position other than the padding's.
///
/// error   correctly rounded; sin 0 is +0
/// throws  undecided at the cap of Ziv's loop
template <floating_format Float>
constexpr cos_sin_bits<Float> round_sinusoid(int pair, double position, const sinusoidal& config) {
  constexpr int limbs_first = 6;
  if (const auto row = sinusoidal_row<2>(position, config); is_exact(row) && is_zero(row.midpoint))
    return {round<Float>(enclosure<2>::of(1)).bits, 0};
  const auto point = [&]<int N>() {
    return cos_sin_of_turns(sinusoidal_turns<N>(pair, config) * sinusoidal_row<N>(position, config));
  };
  const cos_sin<limbs_first> at_hand = point.template operator()<limbs_first>();
  rounding<Float> c = round<Float>(at_hand.cos), s = round<Float>(at_hand.sin);
  if (!s.decided) s = round_small_sine<Float>(pair, sinusoidal_row<limbs_first>(position, config), config);
  if (!c.decided)
    c.bits =
        round_with_enough_limbs<Float>("cos", [&]<int N>() { return point.template operator()<N>().cos; });
  if (!s.decided)
    s.bits =
        round_with_enough_limbs<Float>("sin", [&]<int N>() { return point.template operator()<N>().sin; });
  return {c.bits, s.bits};
}

}  // namespace detail

/// Bits of one entry of the encoding at any finite position.
///
/// shape   scalar
/// error   correctly rounded; sin 0, the padding's row and a zero channel are +0
/// throws  std::invalid_argument naming the field and its value; undecided at the cap of Ziv's loop
template <floating_format Float>
constexpr bits_of<Float> round_sinusoidal_entry(double position, int channel, const sinusoidal& config) {
  const sinusoidal_channel content = content_of(channel, config);
  require(position >= -largest_number && position <= largest_number, "position", position, "a finite number");
  if (content.holds == wave::zero || is_padding(position, config)) return 0;
  const cos_sin_bits<Float> bits = detail::round_sinusoid<Float>(content.pair, position, config);
  return content.holds == wave::sine ? bits.sin : bits.cos;
}

}  // namespace ropewalk
