#pragma once
// Conversion from one pairing to the other by permuting channels. Engines permute the rows of query and key
// weights so that half-split kernels can serve a model trained with interleaved pairs, or the reverse. Scores
// do not change.

#include <cstddef>
#include <span>
#include <vector>

#include "ropewalk/config/head_layout.hpp"

namespace ropewalk {

/// Index in layout `from` of the channel whose index in layout `to` is `channel`. Both are counted from the
/// first channel that rotates.
///
/// domain  channel >= 0; channels from rotary_dim on keep their index
/// source  `permute` in Hugging Face's convert_llama_weights_to_hf.py: interleaved to half-split
constexpr int channel_before(int channel, int rotary_dim, pairing from, pairing to) {
  if (channel >= rotary_dim) return channel;
  const int half = rotary_dim / 2;
  const bool interleaved = to == pairing::interleaved;
  const int pair = interleaved ? channel / 2 : channel % half;
  const bool is_second = interleaved ? channel % 2 != 0 : channel >= half;
  const channel_pair before = channels_of(pair, rotary_dim, from);
  return is_second ? before.second : before.first;
}

/// Rows of query or key weights, or elements of a bias (width 1), permuted from from_head.pairing_in to `to`.
///
/// shape   [heads x head_dim, width], the rows of each head contiguous
/// throws  std::invalid_argument naming the field and its value
template <class Element>
std::vector<Element> permute_pairing(std::span<const Element> weights, std::size_t width, int rotary_dim,
                                     const head_layout& from_head, pairing to) {
  validate(from_head, {.rotary_dim = rotary_dim});
  const auto head_dim = static_cast<std::size_t>(from_head.head_dim);
  require(width >= 1 && width <= weights.size() / head_dim, "width", static_cast<double>(width),
          "a number from 1 to weights / head_dim");
  require(weights.size() % (head_dim * width) == 0, "the number of weights",
          static_cast<double>(weights.size()), "heads x head_dim x width numbers");
  std::vector<Element> permuted;
  permuted.reserve(weights.size());
  for (std::size_t row = 0; row < weights.size() / width; ++row) {
    const std::size_t channel = row % head_dim;
    const int rotated = static_cast<int>(channel) - from_head.rotary_begin;
    const int moved = rotated < 0 ? rotated : channel_before(rotated, rotary_dim, from_head.pairing_in, to);
    const auto before = static_cast<std::size_t>(from_head.rotary_begin + moved);
    const auto taken = weights.subspan((row - channel + before) * width, width);
    permuted.insert(permuted.end(), taken.begin(), taken.end());
  }
  return permuted;
}

}  // namespace ropewalk
