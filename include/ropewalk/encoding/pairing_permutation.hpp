#pragma once
// From one pairing to the other by permuting channels: what engines do to the rows of query and key weights
// when a model trained with interleaved pairs is served by half-split kernels, or the reverse. Scores stay
// what they were.

#include <cstddef>
#include <span>
#include <vector>

#include "ropewalk/config/head_layout.hpp"

namespace ropewalk {

/// Where a channel of a head laid out as `to` stands in the same head laid out as `from`.
///
/// domain  0 <= channel; channels from rotary_dim on stay where they are
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

/// The rows of a query's or a key's weights (or the elements of its bias: width 1) for the other pairing.
///
/// shape   [heads x head_dim, width], rows of a head together
/// throws  std::invalid_argument naming the field and its value
template <class Element>
std::vector<Element> permute_pairing(std::span<const Element> weights, std::size_t width, int rotary_dim,
                                     const head_layout& from_head, pairing to) {
  validate(from_head, {.rotary_dim = rotary_dim});
  const auto head_dim = static_cast<std::size_t>(from_head.head_dim);
  require(width >= 1 && width <= weights.size() / head_dim, "width", static_cast<double>(width),
          "a number above 0, and no more than there are weights for a head");
  require(weights.size() % (head_dim * width) == 0, "the number of weights",
          static_cast<double>(weights.size()), "heads x head_dim x width numbers");
  std::vector<Element> permuted;
  permuted.reserve(weights.size());
  for (std::size_t row = 0; row < weights.size() / width; ++row) {
    const std::size_t channel = row % head_dim;
    const auto before = static_cast<std::size_t>(
        channel_before(static_cast<int>(channel), rotary_dim, from_head.pairing_in, to));
    const auto taken = weights.subspan((row - channel + before) * width, width);
    permuted.insert(permuted.end(), taken.begin(), taken.end());
  }
  return permuted;
}

}  // namespace ropewalk
