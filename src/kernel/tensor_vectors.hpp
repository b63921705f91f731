#pragma once
// Whether vector instructions may read and write a tensor in its own memory.

#include <cstdint>

#include "kernel/simd/simd.hpp"
#include "ropewalk/kernel/tensor.hpp"

namespace ropewalk {

/// Whether channels are contiguous and every element is aligned to its size.
inline bool is_side_by_side(const tensor_view& view) {
  const std::int64_t size = size_of(view.dtype);
  const auto is_aligned = [&](std::int64_t bytes) { return bytes % size == 0; };
  return (view.channels() == 1 || view.stride[3] == size) &&
         is_aligned(static_cast<std::int64_t>(reinterpret_cast<std::uintptr_t>(view.data) %
                                              static_cast<std::uintptr_t>(size))) &&
         is_aligned(view.stride[0]) && is_aligned(view.stride[1]) && is_aligned(view.stride[2]);
}

/// Whether every head begins at a multiple of the stream alignment, which streaming stores require.
inline bool has_aligned_heads(const tensor_view& view) {
  const auto is_aligned = [](std::int64_t bytes) { return bytes % simd::stream_alignment == 0; };
  return simd::is_stream_aligned(view.data) && is_aligned(view.stride[0]) && is_aligned(view.stride[1]) &&
         is_aligned(view.stride[2]);
}

}  // namespace ropewalk
