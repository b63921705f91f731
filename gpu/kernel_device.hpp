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

/// The requested device and its options, read when a device is first needed and again after one was lost. If
/// `device` is empty, the environment variable ROPEWALK_VULKAN_DEVICE names the device.
struct device_wish {
  std::string device{};  // index or part of the name; empty: the best device
  const validation* validated = nullptr;
  device_options options{};
};

/// Sets the device of later plans; existing plans keep theirs.
void wish_for(device_wish wish);

/// A device with canonical arithmetic and its compiled pipelines. Any thread may use it.
class kernel_device {
 public:
  /// throws  device_error: no loader, no driver, no suitable device
  explicit kernel_device(const device_wish& wish);
  kernel_device(const kernel_device&) = delete;
  kernel_device& operator=(const kernel_device&) = delete;

  device& on() { return *device_; }

  /// The pipeline of a shader with these constants, with the device's float controls declared.
  const pipeline& pipeline_of(const shader& code, const std::vector<std::uint32_t>& constants);

  /// Records the dispatch of a shader's pipeline, with `call` as its push constants.
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

/// The process's device, shared by all plans until it is lost.
///
/// throws  device_error
std::shared_ptr<kernel_device> shared_device();

/// The reason why no suitable device exists; empty if one does.
///
/// throws  device_error: a device exists, and failed
std::string why_no_device();

/// Name, driver and Vulkan version of the process's device, as text.
///
/// throws  device_error
std::string device_text();

/// Whether a device was named, by wish_for or by the environment. A missing device is then an error, not a
/// skip.
bool is_device_named();

}  // namespace ropewalk::vulkan
