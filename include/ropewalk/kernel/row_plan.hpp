#pragma once
// Data that a kernel keeps from a resolved sinusoidal encoding, and the row of one position.

#include <algorithm>
#include <cstdint>

#include "ropewalk/kernel/rotation_plan.hpp"

namespace ropewalk {

/// The rotation whose cosines and sines are the entries of a row.
///
/// throws  refused_call naming width, sinusoidal_channels or pairing
inline ropewalk_rotation rotation_of(const ropewalk_row_addition& row) {
  require_field(row.width >= 1 && row.width <= largest_head_dim, {"", "width"}, row.width,
                "a number from 1 to 65536");
  require_field(row.sinusoidal_channels >= 2 && row.sinusoidal_channels % 2 == 0 &&
                    row.sinusoidal_channels <= row.width,
                {"", "sinusoidal_channels"}, row.sinusoidal_channels, "an even number from 2 to width");
  require_field(row.pairing == ROPEWALK_INTERLEAVED || row.pairing == ROPEWALK_HALF_SPLIT, {"", "pairing"},
                row.pairing, "0 (interleaved) or 1 (half-split)");
  ropewalk_rotation rotation{};
  rotation.head_dim = row.width;
  rotation.rotary_dim = row.sinusoidal_channels;
  rotation.pairing_in = rotation.pairing_out = row.pairing;
  rotation.axes = 1;
  rotation.inv_freq = row.inv_freq;
  rotation.turns = row.turns;
  rotation.turns_256 = row.turns_256;
  rotation.turns_real = row.turns_real;
  rotation.attention_factor = 1;
  rotation.table_begin = row.table_begin;
  rotation.table_end = row.table_end;
  return rotation;
}

/// A checked encoding, immutable: threads may share it.
struct row_plan {
  /// throws  refused_call naming the field, its value and what is allowed
  explicit row_plan(const ropewalk_row_addition& encoding)
      : pairs(rotation_of(encoding)),
        cosine_first(encoding.cosine_first != 0),
        row_offset(encoding.row_offset) {
    require_field(encoding.cosine_first == 0 || encoding.cosine_first == 1, {"", "cosine_first"},
                  encoding.cosine_first, "0 or 1");
    require_field(encoding.row_offset >= 0, {"", "row_offset"}, encoding.row_offset, "0 or above");
  }

  /// Number of channels of a head.
  int width() const { return pairs.layout.head.head_dim; }
  /// Number of channels that are added to; the others pass through.
  int channels() const { return pairs.layout.rotary_dim; }
  /// Whether the position adds zeros: position -1, if the encoding has an offset.
  bool is_zero_row(position_number auto position) const { return row_offset > 0 && position == -1; }
  /// Row of the encoding at a position.
  ///
  /// domain  !is_zero_row(position); a real position only without an offset, because the sum could round
  template <position_number Position>
  Position row_of(Position position) const {
    return static_cast<Position>(position + static_cast<Position>(row_offset));
  }
  /// Whether positions may be in binary64: turns must include whole turns, and row_offset must be 0.
  bool may_be_real() const { return pairs.has_real_turns && row_offset == 0; }
  /// Channels of a pair's sine and of its cosine, in this order.
  ///
  /// domain  0 <= pair < channels() / 2
  channel_pair channels_of_pair(int pair) const {
    const channel_pair at = ropewalk::channels_of(pair, channels(), pairs.layout.head.pairing_out);
    return cosine_first ? channel_pair{at.second, at.first} : at;  // sine, cosine
  }

  /// Bits of the row of one position.
  ///
  /// shape   [channels()]
  /// error   correctly rounded; sin 0 is +0
  template <floating_format Float, position_number Position>
  void row(Position position, bits_of<Float>* to) const {
    if (is_zero_row(position)) {
      std::fill_n(to, channels(), bits_of<Float>{0});
      return;
    }
    for (int pair = 0; pair < channels() / 2; ++pair) {
      const cos_sin_bits<Float> entry = pairs.rows.entry<Float>(pair, row_of(position), true);
      const channel_pair at = channels_of_pair(pair);
      to[at.first] = entry.sin;
      to[at.second] = entry.cos;
    }
  }

  rotation_plan pairs;
  bool cosine_first;
  std::int64_t row_offset;
};

}  // namespace ropewalk
