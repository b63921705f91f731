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
  std::size_t capacity() const { return capacity_; }
  memory_kind kind() const { return kind_; }
  device& of() const { return *device_; }

  /// From now on it counts as one of so many bytes.
  ///
  /// domain  0 < bytes <= capacity()
  void use(std::size_t bytes) { bytes_ = bytes; }

  /// Where the host sees it; null where it does not.
  std::byte* data() const { return data_; }
  template <class Element>
  Element* as() const {
    return reinterpret_cast<Element*>(data_);
  }

  /// Whether the host reads there at its own speed.
  bool is_cached() const { return is_cached_; }

  /// Before the device reads what the host wrote, and before the host reads what the device wrote.
  void flush() const;
  void invalidate() const;

 private:
  void allocate();
  VkMappedMemoryRange whole() const;

  device* device_;
  memory_kind kind_;
  std::size_t capacity_;
  std::size_t bytes_;
  owned<VkDeviceMemory> memory_;  // outlives the handle that is bound to it
  owned<VkBuffer> handle_;
  std::byte* data_ = nullptr;
  bool is_coherent_ = true;
  bool is_cached_ = false;
};

}  // namespace ropewalk::vulkan
