#pragma once
// Commands for one device, recorded and run by one thread.

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "gpu/vulkan/buffer.hpp"
#include "gpu/vulkan/device.hpp"
#include "gpu/vulkan/pipeline.hpp"

namespace ropewalk::vulkan {

/// The part of a buffer that a command accesses.
struct buffer_range {
  const buffer* memory = nullptr;
  std::size_t begin = 0;
  std::size_t size = 0;  // bytes; 0: to the buffer's end
};

class commands {
 public:
  /// Only `timed` commands take timestamps.
  ///
  /// throws  device_error
  explicit commands(device& device, bool timed = false);
  commands(const commands&) = delete;
  commands& operator=(const commands&) = delete;

  void copy(const buffer_range& from, const buffer_range& to);
  /// Zeroes the first `bytes` bytes, a multiple of 4.
  void clear(const buffer& to, std::size_t bytes);

  /// Records a dispatch of `groups` or slightly more workgroups. Beyond the device's limit they continue
  /// along a second axis: shaders number them as gl_WorkGroupID.y * gl_NumWorkGroups.x + gl_WorkGroupID.x,
  /// and return if nothing is left to do.
  ///
  /// domain  groups > 0; one range per buffer of the pipeline; all bytes of its push constants
  void dispatch(const pipeline& with, std::span<const buffer_range> buffers,
                std::span<const std::byte> push_constants, std::uint64_t groups);

  /// Makes everything recorded before complete and visible to everything recorded after. `run` adds a barrier
  /// for the host.
  void barrier();

  /// Records the time at which everything before is complete. Ignored beyond most_timestamps.
  void timestamp();
  static constexpr std::uint32_t most_timestamps = 64;

  /// Runs the recorded commands to their end. May be called once.
  ///
  /// throws  device_lost, device_error
  void run();

  /// Nanoseconds from each timestamp to the next, after `run`. Empty if the device has no timestamps.
  std::vector<double> nanoseconds() const;

 private:
  void make_pools(bool timed);
  VkDescriptorSet new_set(const pipeline& with);

  device* device_;
  owned<VkCommandPool> pool_;
  owned<VkQueryPool> queries_;
  std::vector<owned<VkDescriptorPool>> sets_;
  std::uint32_t sets_left_ = 0;
  std::uint32_t timestamps_ = 0;
  VkCommandBuffer handle_ = nullptr;
};

}  // namespace ropewalk::vulkan
