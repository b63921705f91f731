#pragma once
// Reuse of buffers: an allocation costs more than the work in the buffer.

#include <cstddef>
#include <memory>
#include <mutex>
#include <vector>

#include "gpu/vulkan/buffer.hpp"

namespace ropewalk::vulkan {

/// The idle buffers of a device. Any thread may use it.
class buffer_pool {
 public:
  /// A buffer of `bytes`, idle or new, with unspecified contents.
  ///
  /// throws  device_error: no memory, even after all idle buffers were freed
  std::unique_ptr<buffer> take(device& device, std::size_t bytes, memory_kind kind);
  void give(std::unique_ptr<buffer> value) noexcept;

 private:
  static constexpr std::size_t most_idle_bytes = std::size_t{256} << 20;

  std::unique_ptr<buffer> idle(std::size_t capacity, memory_kind kind);
  bool forget_all();

  std::mutex changing_;
  std::vector<std::unique_ptr<buffer>> idle_;
  std::size_t idle_bytes_ = 0;
};

/// Returns a buffer to its device's pool.
struct give_back {
  void operator()(buffer* buffer) const noexcept;
};
using pooled_buffer = std::unique_ptr<buffer, give_back>;

/// A buffer from the device's pool, with unspecified contents.
///
/// domain  bytes > 0
/// throws  device_error
pooled_buffer take_buffer(device& device, std::size_t bytes, memory_kind kind);

}  // namespace ropewalk::vulkan
