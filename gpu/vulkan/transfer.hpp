#pragma once
// Memory of the host to the device and back: directly where they share it and the host is fast there, else through a staging
// buffer.

#include <cstddef>

#include "gpu/vulkan/buffer_pool.hpp"
#include "gpu/vulkan/commands.hpp"

namespace ropewalk::vulkan {

/// What a shader reads. The host fills data() before `send` is recorded; both buffers live until the commands have run.
class input_buffer {
 public:
  input_buffer(device& of, std::size_t bytes);

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

/// What a shader writes. data() is the host's after the commands, `fetch` among them and behind a barrier, have run.
class output_buffer {
 public:
  output_buffer(device& of, std::size_t bytes);

  const buffer& on_device() const { return *device_; }
  void fetch(commands& by) const;
  const std::byte* data() const;

 private:
  pooled_buffer device_;
  pooled_buffer staging_;
};

}  // namespace ropewalk::vulkan
