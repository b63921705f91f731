#pragma once
// Records the addition of entries on the device to a dense tensor.

#include <cstddef>
#include <cstdint>

#include "gpu/kernel_device.hpp"
#include "gpu/vulkan/commands.hpp"

namespace ropewalk::vulkan {

/// A dense tensor [tokens, heads, head_dim].
struct added_shape {
  ropewalk_dtype dtype = ROPEWALK_F32;  // of 32 or 16 bits
  std::size_t tokens = 0;
  std::int64_t heads = 0;
  std::int64_t head_dim = 0;
  std::int64_t added = 0;  // leading channels of a head that entries are added to; the others are copied
  // Stride between the entries of two heads, in words. 0: all heads share entries, which start at a multiple
  // of 4 words.
  std::uint32_t head_step = 0;
};

/// Records one dispatch. `in` may be `out` if head_dim and `added` are multiples of 4; otherwise they must
/// not overlap.
///
/// shape   in, out as the tensor, padded to whole words; starts [tokens]: index of the first head's first
///         entry word
void record_addition(kernel_device& on, commands& by, const added_shape& shape, const buffer& in,
                     const buffer& out, const buffer& entries, const buffer& starts);

}  // namespace ropewalk::vulkan
