#pragma once
// Transfers between host and device: directly if they share memory that is fast for the host, else through a
// staging buffer.

#include <cstddef>

#include "gpu/vulkan/buffer_pool.hpp"
#include "gpu/vulkan/commands.hpp"

namespace ropewalk::vulkan {

/// Input of a shader. The host fills data() before `send` is recorded. Must outlive the commands.
class input_buffer {
 public:
  input_buffer(device& device, std::size_t bytes);

  std::byte* data() const { return host().data(); }
  template <class Element>
  Element* as() const {
    return reinterpret_cast<Element*>(data());
  }
  void send(commands& by) const;
  const buffer& on_device() const { return *device_; }

 private:
  const buffer& host() const { return staging_ ? *staging_ : *device_; }

  pooled_buffer device_;
  pooled_buffer staging_;
};

/// Output of a shader. data() is valid after the commands have run, with `fetch` recorded behind a barrier.
class output_buffer {
 public:
  output_buffer(device& device, std::size_t bytes);

  const buffer& on_device() const { return *device_; }
  void fetch(commands& by) const;
  const std::byte* data() const;

 private:
  pooled_buffer device_;
  pooled_buffer staging_;
};

}  // namespace ropewalk::vulkan
