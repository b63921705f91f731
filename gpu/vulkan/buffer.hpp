#pragma once
// Memory that shaders read and write, and the host's access to it.

#include <cstddef>
#include <cstdint>

#include "gpu/vulkan/device.hpp"

namespace ropewalk::vulkan {

enum class memory_kind {
  device,    // device-local where possible
  upload,    // written by the host
  read_back  // read by the host
};

class buffer {
 public:
  /// domain  bytes > 0
  /// throws  device_error: no memory
  buffer(device& device, std::size_t bytes, memory_kind kind);
  buffer(const buffer&) = delete;
  buffer& operator=(const buffer&) = delete;

  VkBuffer handle() const { return handle_.get(); }
  std::size_t size() const { return bytes_; }
  std::size_t capacity() const { return capacity_; }
  memory_kind kind() const { return kind_; }
  device& of() const { return *device_; }

  /// Sets the size in use.
  ///
  /// domain  0 < bytes <= capacity()
  void use(std::size_t bytes) { bytes_ = bytes; }

  /// Address of the mapped memory; null if the host cannot access it.
  std::byte* data() const { return data_; }
  template <class Element>
  Element* as() const {
    return reinterpret_cast<Element*>(data_);
  }

  /// Whether the host's accesses are cached; uncached reads are slow.
  bool is_cached() const { return is_cached_; }

  /// Must be called after the host wrote and before the device reads.
  void flush() const;
  /// Must be called after the device wrote and before the host reads.
  void invalidate() const;

 private:
  void allocate();
  VkMappedMemoryRange whole() const;

  device* device_;
  memory_kind kind_;
  std::size_t capacity_;
  std::size_t bytes_;
  owned<VkDeviceMemory> memory_;  // freed after the handle that is bound to it
  owned<VkBuffer> handle_;
  std::byte* data_ = nullptr;
  bool is_coherent_ = true;
  bool is_cached_ = false;
};

}  // namespace ropewalk::vulkan
