#pragma once
// A map of a head's channels in which the two channels of a pair may have different angles: one pairing
// places the angles, another the partners. The map is not a rotation.

#include <initializer_list>

#include "ropewalk/config/head_layout.hpp"
#include "ropewalk/config/require.hpp"
#include "ropewalk/config/rope_axes.hpp"

namespace ropewalk {

/// The axes, and the pairings of angles and of partners. If both pairings are equal, the map is the rotation.
///
/// source  `ErnieImageEmbedND3` of Hugging Face diffusers: angles interleaved, partners half-split;
///         `rotate_queries_or_keys` of V-JEPA 2 in transformers: angles half-split by axis, partners
///         interleaved
struct skewed_map {
  rope encoding{};
  rope_axes axes{};
  pairing angles = pairing::interleaved;
  pairing partners = pairing::half_split;
};

/// throws  std::invalid_argument naming the field, its value and what is allowed
constexpr void validate(const skewed_map& config) {
  for (const pairing pairs : {config.angles, config.partners})
    validate({.head_dim = config.encoding.rotary_dim, .pairing_in = pairs, .pairing_out = pairs},
             config.encoding, config.axes);
}

/// Pair of a channel in `layout`.
///
/// domain  0 <= channel < rotary_dim
constexpr int pair_of_channel(int channel, const rope_axes& axes, const rope& config, pairing layout) {
  require(channel >= 0 && channel < config.rotary_dim, "channel", channel,
          "a number from 0 to rotary_dim - 1");
  if (layout == pairing::interleaved) return channel / 2;
  const pair_run run = halves_of(channel / 2, axes, config, layout);
  return run.first + (channel - 2 * run.first) % run.count;
}

/// Partner of a channel: the channel whose value is multiplied by the sine.
///
/// domain  0 <= channel < rotary_dim
constexpr int partner_of(int channel, const skewed_map& config) {
  const int pair = pair_of_channel(channel, config.axes, config.encoding, config.partners);
  const channel_pair both = channels_of(pair, config.axes, config.encoding, config.partners);
  return channel == both.first ? both.second : both.first;
}

}  // namespace ropewalk
