#pragma once
// Records the addition of entries on the device to a dense tensor.

#include <cstddef>
#include <cstdint>
#include <span>

#include "gpu/kernel_device.hpp"
#include "gpu/vulkan/commands.hpp"
#include "gpu/vulkan/transfer.hpp"

namespace ropewalk::vulkan {

/// A dense tensor [tokens, heads, head_dim].
struct added_shape {
  ropewalk_dtype dtype = ROPEWALK_F32;  // of 32 or 16 bits
  std::size_t tokens = 0;
  std::int64_t heads = 0;
  std::int64_t head_dim = 0;
  std::int64_t added = 0;  // leading channels of a head that entries are added to; the others are copied
  // Stride between the entries of two heads, in words. 0: all heads share a token's row of entries, and
  // row_words is a multiple of 4.
  std::uint32_t head_step = 0;
  std::uint32_t row_words = 0;  // stride between the rows of two tokens
};

/// The index of each token's first entry for its first head, on the host and on the device.
class entry_starts {
 public:
  entry_starts(device& device, std::vector<std::uint32_t> starts);

  void send(commands& by) const { sent_.send(by); }
  std::span<const std::uint32_t> on_host() const { return starts_; }
  const buffer& on_device() const { return sent_.on_device(); }

 private:
  std::vector<std::uint32_t> starts_;
  input_buffer sent_;
};

/// Records the addition of one row of entries to each token. `in` may be `out` if head_dim and `added` are
/// whole groups of 16 bytes.
///
/// shape   in, out as the tensor, padded to whole words; starts [tokens]
void record_addition(kernel_device& device, commands& by, const added_shape& shape, const buffer& in,
                     const buffer& out, const buffer& entries, const entry_starts& starts);

}  // namespace ropewalk::vulkan
