#pragma once
// Copies the rotated channels of a head between a strided tensor and dense memory.

#include <cstddef>
#include <cstdint>
#include <cstring>

#include "ropewalk/kernel/head.hpp"

namespace ropewalk::recipe {

/// Whether the channels of a head are side by side.
inline bool has_dense_heads(const tensor_view& view) { return view.stride[3] == size_of(view.dtype); }

/// Copies the rotated channels of a head to dense memory.
inline void gather_head(const std::byte* from, const tensor_view& view, const rotated_layout& layout,
                        std::byte* to) {
  const auto element = static_cast<std::size_t>(size_of(view.dtype));
  for (int channel = 0; channel < layout.rotary_dim; ++channel, to += element)
    std::memcpy(to, from + channel * view.stride[3], element);
}

/// Copies rotated channels, dense and in the input's pairing, to a head in the output's.
inline void scatter_head(const std::byte* from, const rotated_layout& layout, const tensor_view& view,
                         std::byte* to) {
  const std::int64_t element = size_of(view.dtype);
  for (int pair = 0; pair < layout.pairs(); ++pair) {
    const channel_pair in = channels_of(pair, layout.rotary_dim, layout.head.pairing_in);
    const channel_pair out = channels_of(pair, layout.rotary_dim, layout.head.pairing_out);
    const auto size = static_cast<std::size_t>(element);
    std::memcpy(to + out.first * view.stride[3], from + in.first * element, size);
    std::memcpy(to + out.second * view.stride[3], from + in.second * element, size);
  }
}

}  // namespace ropewalk::recipe
