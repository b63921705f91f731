#pragma once
// Entries that lie on the device added to a dense tensor, recorded.

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
  std::int64_t added = 0;  // channels of a head that are added to; the others are copied
  // Words from a head's entries to the next head's; 0: heads share the entries, which start at a multiple of 4 words.
  std::uint32_t head_step = 0;
};

/// `in` may be `out` where heads and what is added are whole fours of channels; else they are apart.
///
/// shape   in, out as the tensor, in whole words; starts [tokens]: the first head's first word of entries
void record_addition(kernel_device& on, commands& by, const added_shape& shape, const buffer& in,
                     const buffer& out, const buffer& entries, const buffer& starts);

}  // namespace ropewalk::vulkan
