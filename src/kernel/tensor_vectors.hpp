#pragma once
// Whether vector instructions may read and write a tensor in its own memory, and past the caches.

#include <cstdint>

#include "kernel/simd/simd.hpp"
#include "ropewalk/kernel/checked_call.hpp"
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

/// Bytes that a call writes to one of its tensors; 0 if it is absent.
inline double written_bytes(const checked_call& call, const rotated_tensor& tensor) {
  if (!tensor.is_present) return 0;
  const tensor_view& out = tensor.out;
  return static_cast<double>(call.end - call.begin) * static_cast<double>(out.heads()) *
         static_cast<double>(out.channels() * size_of(call.dtype));
}

/// Whether a call that writes this number of bytes bypasses the caches. Shorter calls would also end sooner
/// that way, but reading their output afterwards costs more than that gains: 4 MiB of sinusoidal sums,
/// written and read, take a third longer.
inline bool writes_past_caches(double bytes) { return bytes >= static_cast<double>(simd::streamed_bytes); }

}  // namespace ropewalk
