#pragma once
// Mixed rotary position embedding as exact values: the angle of a pair is a sum of products of binary64
// numbers, kept exact, so that terms may cancel. Nothing is rounded here: values are enclosures of N limbs.

#include <cstddef>
#include <span>

#include "ropewalk/config/rope_mixed.hpp"
#include "ropewalk/encoding/rope.hpp"
#include "ropewalk/numeric/exact_sum.hpp"

namespace ropewalk {

/// Angle of one pair of one head: the sum over axes of coordinate x frequency[axis, head, pair].
///
/// shape   coordinates [axes]
/// units   radians
/// domain  finite coordinates; 0 <= head < heads, 0 <= pair < pairs
/// error   exact
/// throws  std::invalid_argument naming the field and its value
/// source  `create_position_matrix` and `compute_mixed_rotation` of Mochi; `compute_mixed_cis` of RoPE-ViT;
///         `LearnableFourierPositionalEncoding` of LightGlue
constexpr exact_sum<double> rope_mixed_sum(int head, int pair, std::span<const double> coordinates,
                                           const rope_mixed& config) {
  detail::validate_sizes(config);
  require(head >= 0 && head < config.heads, "head", head, "a number from 0 to heads - 1");
  require(pair >= 0 && pair < config.pairs, "pair", pair, "a number from 0 to pairs - 1");
  require(coordinates.size() == static_cast<std::size_t>(config.axes), "the number of coordinates",
          static_cast<double>(coordinates.size()), "one for each axis");
  exact_sum<double> angle;
  for (int axis = 0; axis < config.axes; ++axis) {
    const double at = coordinates[static_cast<std::size_t>(axis)];
    const double frequency = config.frequency[frequency_place(axis, head, pair, config)];
    detail::require_finite("coordinate", at);
    detail::require_finite("frequency", frequency);
    angle.add_product(to_bits(at), to_bits(frequency));
  }
  return angle;
}

/// Angle of one pair of one head, as an enclosure.
///
/// error   carried by the enclosure: below two units of the angle's own last limb, however its terms cancel;
///         exact where N limbs hold it
template <int N>
constexpr enclosure<N> rope_mixed_angle(int head, int pair, std::span<const double> coordinates,
                                        const rope_mixed& config) {
  return rope_mixed_sum(head, pair, coordinates, config).template value<N>();
}

/// Rotation block of one pair of one head for a token at `coordinates`.
///
/// domain, throws   as rope_mixed_sum
template <int N>
constexpr pair_rotation<N> rope_mixed_block(int head, int pair, std::span<const double> coordinates,
                                            const rope_mixed& config,
                                            rotation_kind kind = rotation_kind::forward) {
  const cos_sin<N> unit = cos_sin_of_radians(rope_mixed_angle<N>(head, pair, coordinates, config));
  return block_of(unit, enclosure<N>::of(1), kind);
}

}  // namespace ropewalk
