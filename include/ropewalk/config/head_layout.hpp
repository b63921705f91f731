#pragma once
// Layout of an attention head: its number of channels and their pairing. Kernels need it; tables do not.

#include "ropewalk/config/require.hpp"
#include "ropewalk/config/rope.hpp"
#include "ropewalk/config/rope_axes.hpp"

namespace ropewalk {

/// The two channels of pair i. interleaved: 2i and 2i + 1, as in GPT-J. half_split: i and i + rotary_dim / 2,
/// as in GPT-NeoX. half_split_by_axis: half-split within the channels of each axis, whose pairs are
/// consecutive, as in CroCo.
enum class pairing { interleaved, half_split, half_split_by_axis };

inline constexpr pairing every_pairing[] = {pairing::interleaved, pairing::half_split,
                                            pairing::half_split_by_axis};

/// "interleaved", "half-split" or "half-split-by-axis": the pairing's name on the command line.
constexpr const char* name_of(pairing layout) {
  switch (layout) {
    case pairing::interleaved: return "interleaved";
    case pairing::half_split: return "half-split";
    case pairing::half_split_by_axis: return "half-split-by-axis";
  }
  return "";
}

/// The channels of one head: rotary_dim of them, from rotary_begin on, rotate; the others pass through.
struct head_layout {
  int head_dim = 0;
  pairing pairing_in = pairing::half_split;
  pairing pairing_out = pairing::half_split;
  int rotary_begin = 0;
};

/// Whether input or output is half-split by axis.
constexpr bool is_by_axis(const head_layout& layout) {
  return layout.pairing_in == pairing::half_split_by_axis ||
         layout.pairing_out == pairing::half_split_by_axis;
}

/// Checks a head whose pairs are all on one axis.
///
/// throws  std::invalid_argument naming the field, its value and what is allowed
constexpr void validate(const head_layout& layout, const rope& config) {
  validate(config);
  require_word(!is_by_axis(layout) ||
                   (layout.pairing_in != pairing::half_split && layout.pairing_out != pairing::half_split),
               "pairing_out", name_of(layout.pairing_out), "the pairing of the input, or interleaved");
  require(layout.head_dim >= 1 && layout.head_dim <= largest_head_dim, "head_dim", layout.head_dim,
          "a number from 1 to 65536");
  require(config.rotary_dim <= layout.head_dim, "rotary_dim", config.rotary_dim,
          "a number not above head_dim");
  require(layout.rotary_begin >= 0 && layout.rotary_begin <= layout.head_dim - config.rotary_dim,
          "rotary_begin", layout.rotary_begin, "a number from 0 to head_dim - rotary_dim");
}

/// Checks a head on any axes. Half-split by axis requires the order `runs`.
constexpr void validate(const head_layout& layout, const rope& config, const rope_axes& axes) {
  validate(layout, config);
  validate(axes, config);
  if (!is_by_axis(layout)) return;
  require_word(axes.count == 1 || axes.order == axis_order::runs, "order", name_of(axes.order),
               "runs where pairs are half-split by axis");
  require(axes.still_pairs == 0, "still_pairs", axes.still_pairs, "0 where pairs are half-split by axis");
}

/// The two channels of one pair, counted from the first channel that rotates.
struct channel_pair {
  int first = 0;
  int second = 0;
};

/// Consecutive pairs of one axis.
struct pair_run {
  int first = 0;
  int count = 0;
  friend constexpr bool operator==(const pair_run&, const pair_run&) = default;
};

/// Channels of a pair within the run that halves_of gives.
///
/// domain  first <= pair < first + count of the run
constexpr channel_pair channels_of(int pair, const pair_run& run, pairing layout) {
  if (layout == pairing::interleaved) return {2 * pair, 2 * pair + 1};
  return {pair + run.first, pair + run.first + run.count};
}

/// Channels of a pair if all pairs are on one axis.
///
/// domain  0 <= pair < rotary_dim / 2
constexpr channel_pair channels_of(int pair, int rotary_dim, pairing layout) {
  return channels_of(pair, {0, rotary_dim / 2}, layout);
}

/// The run of pairs that is split in half: the axis's pairs if the layout is half-split by axis, else all
/// pairs.
///
/// domain  0 <= pair < rotary_dim / 2; axes that fit the layout
constexpr pair_run halves_of(int pair, const rope_axes& axes, const rope& config, pairing layout) {
  if (layout != pairing::half_split_by_axis) return {0, pair_count(config)};
  pair_run halves{0, pairs_of_axis(0, axes, config)};
  for (int axis = 1; axis < axes.count && pair >= halves.first + halves.count; ++axis)
    halves = {halves.first + halves.count, pairs_of_axis(axis, axes, config)};
  return halves;
}

/// Channels of a pair on any axes.
constexpr channel_pair channels_of(int pair, const rope_axes& axes, const rope& config, pairing layout) {
  return channels_of(pair, halves_of(pair, axes, config, layout), layout);
}

}  // namespace ropewalk
