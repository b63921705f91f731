#pragma once
// The operations of which eager PyTorch composes a rotation of whole tensors, for one head each. Every result
// is rounded to the tensor's format.

#include <cstddef>

#include "ropewalk/config/head_layout.hpp"
#include "ropewalk/kernel/kernel.h"

namespace ropewalk::recipe {

/// Elements are contiguous, at any alignment; `pairs` is half the number of rotated channels.
struct tensor_passes {
  /// -x of each pair's second channel.
  ///
  /// shape   out [pairs]
  void (*negate)(const std::byte* x, int pairs, pairing pairing_in, std::byte* out);
  /// Each pair's negated second channel in place of the first, and the first in place of the second:
  /// rotate_half(x), or rotate_every_two(x).
  ///
  /// shape   negated [pairs], out [2 pairs]
  void (*join)(const std::byte* negated, const std::byte* x, int pairs, pairing pairing_in, std::byte* out);
  /// shape   x, by, out [channels]
  void (*multiply)(const std::byte* x, const std::byte* by, int channels, std::byte* out);
  void (*add)(const std::byte* x, const std::byte* more, int channels, std::byte* out);
  /// The row of an embedding: each pair's entry for both of its channels.
  ///
  /// shape   entries [pairs], out [2 pairs]
  void (*spread)(const float* entries, int pairs, pairing pairing_in, std::byte* out);
};

/// The operations on a format's data; products and sums are compiled for AVX2 and F16C if the processor has
/// them.
const tensor_passes& tensor_passes_of(ropewalk_dtype dtype);

/// The same operations, compiled for any processor.
const tensor_passes& portable_tensor_passes_of(ropewalk_dtype dtype);

}  // namespace ropewalk::recipe
