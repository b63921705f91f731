#pragma once
// How the channels of an attention head are paired, and how many there are. Kernels need it; tables do not.

#include "ropewalk/config/require.hpp"
#include "ropewalk/config/rope.hpp"

namespace ropewalk {

/// Which two channels form pair i: (2i, 2i + 1) as GPT-J, or (i, i + rotary_dim / 2) as GPT-NeoX.
enum class pairing { interleaved, half_split };

/// "interleaved" or "half-split": the pairing as the command line spells it.
constexpr const char* name_of(pairing layout) {
  return layout == pairing::interleaved ? "interleaved" : "half-split";
}

/// The channels of one head: rotary_dim of them, from rotary_begin on, rotate; the others pass through.
struct head_layout {
  int head_dim = 0;
  pairing pairing_in = pairing::half_split;
  pairing pairing_out = pairing::half_split;
  int rotary_begin = 0;
};

/// throws  std::invalid_argument naming the field, its value and what is allowed
constexpr void validate(const head_layout& layout, const rope& config) {
  validate(config);
  require(layout.head_dim >= 1 && layout.head_dim <= largest_head_dim, "head_dim", layout.head_dim,
          "a number from 1 to 65536");
  require(config.rotary_dim <= layout.head_dim, "rotary_dim", config.rotary_dim,
          "a number not above head_dim");
  require(layout.rotary_begin >= 0 && layout.rotary_begin <= layout.head_dim - config.rotary_dim,
          "rotary_begin", layout.rotary_begin, "a number from 0 to head_dim - rotary_dim");
}

/// The two channels of one pair, counted from the first that rotates.
struct channel_pair {
  int first = 0;
  int second = 0;
};

/// domain  0 <= pair < rotary_dim / 2
constexpr channel_pair channels_of(int pair, int rotary_dim, pairing layout) {
  if (layout == pairing::interleaved) return {2 * pair, 2 * pair + 1};
  return {pair, pair + rotary_dim / 2};
}

}  // namespace ropewalk
