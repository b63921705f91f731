#pragma once
// A logical device with one queue. Any thread may submit to it. A device that was lost refuses all further
// submissions.

#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>

#include "gpu/vulkan/api.hpp"
#include "gpu/vulkan/description.hpp"
#include "gpu/vulkan/instance.hpp"
#include "gpu/vulkan/owned.hpp"

namespace ropewalk::vulkan {

struct device_options {
  // Copies through staging buffers even where host and device could share memory.
  bool forces_staging = false;
  // Timeout of one submission.
  std::chrono::nanoseconds patience = std::chrono::minutes(5);
  std::uint64_t storage_buffer_bytes = 0;  // caps the device's limit; 0: no cap
  std::uint32_t workgroups = 0;            // caps the first axis of a dispatch; 0: no cap
};

class buffer_pool;

class device {
 public:
  /// Opens the device at `index` of instance::devices.
  ///
  /// throws  device_error
  device(std::shared_ptr<const instance> value, std::size_t index, const device_options& options = {});
  device(const device&) = delete;
  device& operator=(const device&) = delete;
  ~device();

  VkDevice handle() const { return handle_.get(); }
  const device_functions& functions() const { return functions_; }
  const device_description& description() const { return description_; }
  std::uint32_t queue_family() const { return physical_->queue_family; }
  VkPipelineCache pipeline_cache() const { return cache_.get(); }
  buffer_pool& pool() { return *pool_; }
  bool is_lost() const { return lost_.load(); }
  bool forces_staging() const { return options_.forces_staging; }

  VkMemoryPropertyFlags properties_of(int memory_type) const {
    return memory_.memoryTypes[memory_type].propertyFlags;
  }
  /// The first memory type whose bit is set in `allowed` and that has `properties`, or -1.
  int memory_type(std::uint32_t allowed, VkMemoryPropertyFlags properties) const;

  /// Submits recorded commands and waits for them.
  ///
  /// throws  device_lost, also on every later call; device_error
  void run(VkCommandBuffer commands);

  /// Calls require_success, and marks the device as lost if it is.
  void require(VkResult result, const char* call);

 private:
  void wait(VkFence fence);

  std::shared_ptr<const instance> instance_;
  const physical_device* physical_;
  device_options options_;
  device_description description_;
  VkPhysicalDeviceMemoryProperties memory_{};
  device_functions functions_;
  owned<VkDevice> handle_;
  owned<VkPipelineCache> cache_;
  std::unique_ptr<buffer_pool> pool_;
  VkQueue queue_ = nullptr;
  std::mutex submitting_;
  std::atomic<bool> lost_ = false;
};

}  // namespace ropewalk::vulkan
