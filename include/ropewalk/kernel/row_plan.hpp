#pragma once
// What a kernel that adds sinusoidal rows keeps of a resolved encoding, and the row of one position.

#include <algorithm>
#include <cstdint>

#include "ropewalk/kernel/rotation_plan.hpp"

namespace ropewalk {

namespace detail {

/// The fields that a row shares with a rotation, and the others as a rotation without scaling has them.
inline ropewalk_encoding as_rotation(const ropewalk_encoding& row) {
  ropewalk_encoding r = row;
  r.pairing_in = row.pairing_out;
  r.axes = 1;
  r.axis = nullptr;
  r.attention_factor = 1;
  r.attention_real = {};
  r.seq_len = 0;
  return r;
}

}  // namespace detail

/// A checked encoding. Constant once it is made, so that one plan serves many threads.
struct row_plan {
  /// throws  refused_call naming the field, its value and what is allowed
  explicit row_plan(const ropewalk_encoding& encoding)
      : pairs(detail::as_rotation(encoding)),
        cosine_first(encoding.cosine_first != 0),
        row_offset(encoding.row_offset) {
    require_field(encoding.cosine_first == 0 || encoding.cosine_first == 1, {"", "cosine_first"},
                  encoding.cosine_first, "0 or 1");
    require_field(encoding.row_offset >= 0, {"", "row_offset"}, encoding.row_offset, "0 or above");
  }

  int width() const { return pairs.layout.head.head_dim; }
  /// Channels that are added to; the others are copied.
  int channels() const { return pairs.layout.rotary_dim; }
  bool is_zero_row(std::int64_t position) const { return row_offset > 0 && position == -1; }
  std::int64_t row_of(std::int64_t position) const { return position + row_offset; }
  channel_pair channels_of_pair(int pair) const {
    const channel_pair at = ropewalk::channels_of(pair, channels(), pairs.layout.head.pairing_out);
    return cosine_first ? channel_pair{at.second, at.first} : at;  // sine, cosine
  }

  /// The row of one position, by its bits.
  ///
  /// shape   [channels()]
  /// error   correctly rounded; sin 0 is +0
  template <floating_format Float>
  void row(std::int64_t position, bits_of<Float>* to) const {
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
