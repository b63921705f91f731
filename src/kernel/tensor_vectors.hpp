#pragma once
// Whether vector instructions may read and write a tensor in its own memory.

#include <cstdint>

#include "kernel/simd/simd.hpp"
#include "ropewalk/kernel/tensor.hpp"

namespace ropewalk {

/// Whether every head begins at a multiple of a power of two, in bytes.
inline bool has_heads_at(const tensor_view& view, std::int64_t multiple) {
  const auto address = static_cast<std::int64_t>(reinterpret_cast<std::uintptr_t>(view.data));
  return ((address | view.stride[0] | view.stride[1] | view.stride[2]) & (multiple - 1)) == 0;
}

/// Whether channels are contiguous and every element is aligned to its size.
inline bool is_side_by_side(const tensor_view& view) {
  const std::int64_t size = size_of(view.dtype);
  return (view.channels() == 1 || view.stride[3] == size) && has_heads_at(view, size);
}

/// Whether every head begins at a multiple of the stream alignment, which streaming stores require.
inline bool has_aligned_heads(const tensor_view& view) { return has_heads_at(view, simd::stream_alignment); }

}  // namespace ropewalk
