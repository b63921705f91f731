#pragma once
// Commands for one device, recorded by one thread and then run.

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "gpu/vulkan/buffer.hpp"
#include "gpu/vulkan/device.hpp"
#include "gpu/vulkan/pipeline.hpp"

namespace ropewalk::vulkan {

/// Bytes of a buffer that a shader sees.
struct buffer_range {
  const buffer* of = nullptr;
  std::size_t begin = 0;
  std::size_t size = 0;  // 0: to its end
};

class commands {
 public:
  /// Only `timed` ones take timestamps.
  ///
  /// throws  device_error
  explicit commands(device& on, bool timed = false);
  commands(const commands&) = delete;
  commands& operator=(const commands&) = delete;

  void copy(const buffer_range& from, const buffer_range& to);
  void clear(const buffer& to, std::size_t bytes);  // its first ones, whole words, zero

  /// As many workgroups as are asked for; beyond the device's limit they go on along a second axis: shaders count with
  /// gl_WorkGroupID.y * gl_NumWorkGroups.x + gl_WorkGroupID.x, and end where there is nothing left.
  ///
  /// domain  groups > 0; as many ranges as the pipeline has buffers, as many bytes as it has push constants
  void dispatch(const pipeline& with, std::span<const buffer_range> buffers,
                std::span<const std::byte> push_constants, std::uint64_t groups);

  /// Whatever was recorded before is finished, and seen, before what comes next; `run` ends with one for the host.
  void barrier();

  /// When everything before was done. At most most_timestamps.
  void timestamp();
  static constexpr std::uint32_t most_timestamps = 64;

  /// Runs what was recorded, once.
  ///
  /// throws  device_lost, device_error
  void run();

  /// After run: nanoseconds from each timestamp to the next. Empty where the device keeps no time.
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
