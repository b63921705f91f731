#include "gpu/vulkan/transfer.hpp"

namespace ropewalk::vulkan {
namespace {

pooled_buffer staging_of(device& device, const buffer& beside, memory_kind kind) {
  const bool serves = beside.data() != nullptr && (kind == memory_kind::upload || beside.is_cached());
  return serves ? nullptr : take_buffer(device, beside.size(), kind);
}

}  // namespace

input_buffer::input_buffer(device& device, std::size_t bytes)
    : device_(take_buffer(device, bytes, memory_kind::device)),
      staging_(staging_of(device, *device_, memory_kind::upload)) {}

void input_buffer::send(commands& by) const {
  host().flush();
  if (staging_) by.copy({staging_.get()}, {device_.get()});
}

output_buffer::output_buffer(device& device, std::size_t bytes)
    : device_(take_buffer(device, bytes, memory_kind::device)),
      staging_(staging_of(device, *device_, memory_kind::read_back)) {}

void output_buffer::fetch(commands& by) const {
  if (staging_) by.copy({device_.get()}, {staging_.get()});
}

const std::byte* output_buffer::data() const {
  const buffer& host = staging_ ? *staging_ : *device_;
  host.invalidate();
  return host.data();
}

}  // namespace ropewalk::vulkan
