#pragma once
// The device that this process's Vulkan kernels run on, with their pipelines.

#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <type_traits>
#include <vector>

#include "gpu/shader_list.hpp"
#include "gpu/vulkan/commands.hpp"
#include "gpu/vulkan/device.hpp"
#include "gpu/vulkan/pipeline.hpp"

namespace ropewalk::vulkan {

/// Which device and how: read when a device is first needed, and again after one was lost. Without a device named here the
/// environment's ROPEWALK_VULKAN_DEVICE names it.
struct device_wish {
  std::string device{};  // its index or a part of its name; empty: the best
  const validation* validated = nullptr;
  device_options options{};
};

/// From now on; plans that are made keep the device they have.
void wish_for(device_wish wish);

/// A device that canonical kernels may use, and what has been compiled for it. Any thread may use it.
class kernel_device {
 public:
  /// throws  device_error: no loader, no driver, no suitable device
  explicit kernel_device(const device_wish& wish);
  kernel_device(const kernel_device&) = delete;
  kernel_device& operator=(const kernel_device&) = delete;

  device& on() { return *device_; }

  /// The pipeline of a shader with these constants, with the device's float controls declared.
  const pipeline& pipeline_of(const shader& code, const std::vector<std::uint32_t>& constants);

  /// Records the dispatch of such a pipeline with the push constants of its shader.
  template <class Call>
  void dispatch(commands& by, const shader_of<Call>& code, const std::vector<std::uint32_t>& constants,
                std::span<const buffer_range> buffers, const std::type_identity_t<Call>& call,
                std::uint64_t groups) {
    by.dispatch(pipeline_of(code, constants), buffers, std::as_bytes(std::span(&call, 1)), groups);
  }

 private:
  using key = std::pair<const std::uint32_t*, std::vector<std::uint32_t>>;

  std::unique_ptr<device> device_;
  std::mutex making_;
  std::map<key, std::unique_ptr<pipeline>> made_;
};

/// The process's device: the same one for all plans until it is lost.
///
/// throws  device_error
std::shared_ptr<kernel_device> shared_device();

/// Why there is none that could serve; empty where there is one.
///
/// throws  device_error: there is one, and it failed
std::string why_no_device();

/// Its name, its driver and what it speaks, in words.
///
/// throws  device_error
std::string device_text();

/// Whether one was named, by wish_for or by the environment: its absence is no reason to do without.
bool is_device_named();

}  // namespace ropewalk::vulkan
