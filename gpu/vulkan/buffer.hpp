#pragma once
// Memory that shaders read and write, and how the host gets at it.

#include <cstddef>
#include <cstdint>

#include "gpu/vulkan/device.hpp"

namespace ropewalk::vulkan {

enum class memory_kind {
  device,    // as near to the device as there is
  upload,    // the host writes it
  read_back  // the host reads it
};

class buffer {
 public:
  /// domain  bytes > 0
  /// throws  device_error: no memory
  buffer(device& of, std::size_t bytes, memory_kind kind);
  buffer(const buffer&) = delete;
  buffer& operator=(const buffer&) = delete;

  VkBuffer handle() const { return handle_.get(); }
  std::size_t size() const { return bytes_; }

  /// Where the host sees it; null where it does not.
  std::byte* data() const { return data_; }
  template <class Element>
  Element* as() const {
    return reinterpret_cast<Element*>(data_);
  }

  /// Before the device reads what the host wrote, and before the host reads what the device wrote.
  void flush() const;
  void invalidate() const;

 private:
  void allocate(memory_kind kind);
  VkMappedMemoryRange whole() const;

  device* device_;
  std::size_t bytes_;
  owned<VkDeviceMemory> memory_;  // outlives the handle that is bound to it
  owned<VkBuffer> handle_;
  std::byte* data_ = nullptr;
  bool is_coherent_ = true;
};

}  // namespace ropewalk::vulkan
