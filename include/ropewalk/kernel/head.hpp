#pragma once
// Channels of a head: pairs are read in the input's pairing, rotated, and written in the output's; the other
// channels are copied.

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <vector>

#include "ropewalk/config/head_layout.hpp"
#include "ropewalk/kernel/call.hpp"
#include "ropewalk/kernel/rotation.hpp"
#include "ropewalk/kernel/tensor.hpp"

namespace ropewalk {

/// The channels of a head and how many of them rotate.
struct rotated_layout {
  head_layout head;
  int rotary_dim = 0;
  std::vector<pair_run> halves{};  // [pairs] the run of each pair's axis; empty unless half-split by axis

  /// Number of channel pairs that rotate.
  int pairs() const { return rotary_dim / 2; }

  /// The channels of a pair in one of the head's pairings.
  ///
  /// domain  0 <= pair < pairs()
  channel_pair channels(int pair, pairing in) const {
    if (in != pairing::half_split_by_axis) return channels_of(pair, rotary_dim, in);
    return channels_of(pair, halves[static_cast<std::size_t>(pair)], in);
  }
};

/// Reads all pairs of one head, in the input's pairing. All are read before any is written, so that a kernel
/// can work in place even if the output's pairing differs.
///
/// shape   pairs [rotary_dim / 2]
/// units   stride in bytes
template <floating_format Float>
void read_pairs(const std::byte* head, std::int64_t stride, const rotated_layout& layout,
                bits_pair<Float>* pairs) {
  for (int pair = 0; pair < layout.pairs(); ++pair) {
    const channel_pair at = layout.channels(pair, layout.head.pairing_in);
    pairs[pair] = {load<Float>(head + at.first * stride), load<Float>(head + at.second * stride)};
  }
}

/// Writes all pairs of one head, in the output's pairing; the other channels keep their bytes.
///
/// shape   pairs [rotary_dim / 2]
/// units   stride in bytes
template <floating_format Float>
void write_pairs(std::byte* head, std::int64_t stride, const rotated_layout& layout,
                 const bits_pair<Float>* pairs) {
  for (int pair = 0; pair < layout.pairs(); ++pair) {
    const channel_pair at = layout.channels(pair, layout.head.pairing_out);
    store<Float>(head + at.first * stride, pairs[pair].first);
    store<Float>(head + at.second * stride, pairs[pair].second);
  }
}

/// Copies channels bit for bit. They may overlap, so that a kernel that misreads strides fails a law without
/// undefined behaviour here.
///
/// units   strides and the size of an element in bytes
inline void copy_channels(const std::byte* from, std::int64_t from_stride, std::byte* to,
                          std::int64_t to_stride, int element, int count) {
  const auto size = static_cast<std::size_t>(element);
  if (from_stride == element && to_stride == element) {
    std::memmove(to, from, size * static_cast<std::size_t>(count));
    return;
  }
  for (int channel = 0; channel < count; ++channel)
    std::memmove(to + channel * to_stride, from + channel * from_stride, size);
}

/// Copies the channels from rotary_dim on.
inline void copy_pass_through(const std::byte* from, std::int64_t from_stride, std::byte* to,
                              std::int64_t to_stride, std::size_t size, const rotated_layout& layout) {
  const int rest = layout.head.head_dim - layout.rotary_dim;
  if (rest == 0 || from == to) return;
  copy_channels(from + layout.rotary_dim * from_stride, from_stride, to + layout.rotary_dim * to_stride,
                to_stride, static_cast<int>(size), rest);
}

/// Rotates every head of one token; turn(pairs, head) changes the pairs in place.
///
/// shape   `scratch` holds rotary_dim / 2 pairs
template <floating_format Float, class Turn>
void turn_heads(const rotated_tensor& tensor, const token_place& place, const rotated_layout& layout,
                std::vector<bits_pair<Float>>& scratch, Turn turn) {
  if (!tensor.is_present) return;
  const std::int64_t in_stride = tensor.in.stride[3];
  const std::int64_t out_stride = tensor.out.stride[3];
  for (std::int64_t head = 0; head < tensor.in.heads(); ++head) {
    const std::byte* from = tensor.in.head(place.row, place.token, head);
    std::byte* to = tensor.out.head(place.row, place.token, head);
    read_pairs<Float>(from, in_stride, layout, scratch.data());
    turn(scratch.data(), head);
    write_pairs<Float>(to, out_stride, layout, scratch.data());
    copy_pass_through(from, in_stride, to, out_stride, sizeof(bits_of<Float>), layout);
  }
}

}  // namespace ropewalk
