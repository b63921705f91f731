#pragma once
// Rotary position embedding on more than one axis, as exact values: each pair is rotated by the position on
// its own axis.

#include <cstddef>

#include "ropewalk/config/rope_axes.hpp"
#include "ropewalk/encoding/rope.hpp"

namespace ropewalk {

/// Axis whose position rotates a pair, and index of the pair's frequency in the embedding.
struct pair_axis {
  int axis = 0;
  int frequency = 0;
  friend constexpr bool operator==(const pair_axis&, const pair_axis&) = default;
};

/// Axis and frequency of one pair. Axes count from 0: time, height, width, or row, column.
///
/// domain  0 <= pair < rotary_dim / 2
/// throws  std::invalid_argument naming the field and its value
/// source  `mrope_section` in Qwen2-VL, `apply_interleaved_mrope` in Qwen3-VL, `PixtralRotaryEmbedding` and
///         `VisionRotaryEmbedding` in Hugging Face transformers
constexpr pair_axis axis_of(int pair, const rope_axes& axes, const rope& config) {
  validate(axes, config);
  detail::validate_pair(pair, config);
  const auto& [time, height, width] = axes.mrope_section;
  const int half = pair_count(config) / 2;
  switch (axes.rule) {
    case axis_rule::text: break;
    case axis_rule::mrope: return {pair < time ? 0 : pair < time + height ? 1 : 2, pair};
    case axis_rule::mrope_interleaved: {
      const int remainder = pair % 3;
      const bool is_other = (remainder == 1 && pair < 3 * height) || (remainder == 2 && pair < 3 * width);
      return {is_other ? remainder : 0, pair};
    }
    case axis_rule::pixtral: return {pair / half, 2 * (pair % half) + pair / half};
    case axis_rule::qwen_vision: return {pair / half, 2 * (pair % half)};
  }
  return {0, pair};
}

/// Inverse frequency of one pair along its axis.
///
/// units   radians per position
/// domain, error, throws   as rope_inv_freq
template <int N>
constexpr enclosure<N> rope_axes_inv_freq(int pair, const rope_axes& axes, const rope& config) {
  return rope_inv_freq<N>(axis_of(pair, axes, config).frequency, config);
}

/// Rotation block of one pair for a token at `positions`, one number per axis.
///
/// domain  any finite positions, as many as axis_count
/// throws  std::invalid_argument naming the field and its value
template <int N, class Positions>
constexpr pair_rotation<N> rope_axes_block(int pair, const Positions& positions, const rope_axes& axes,
                                           const rope& config, rotation_kind kind = rotation_kind::forward) {
  require(static_cast<int>(positions.size()) == axis_count(axes), "the number of positions",
          static_cast<double>(positions.size()), "one for each axis");
  const pair_axis of = axis_of(pair, axes, config);
  const auto position = static_cast<double>(positions[static_cast<std::size_t>(of.axis)]);
  return rotation_matrix<N>(config, position, kind).block(of.frequency);
}

}  // namespace ropewalk
