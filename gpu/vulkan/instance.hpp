#pragma once
// A Vulkan instance and its list of physical devices, with or without the validation layer.

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

#include "gpu/vulkan/api.hpp"
#include "gpu/vulkan/description.hpp"
#include "gpu/vulkan/owned.hpp"

namespace ropewalk::vulkan {

/// Callback for each warning and error of the validation layer, on the thread that made the call.
using message_handler = std::function<void(const std::string& text)>;

/// Enables the validation layer with synchronization validation, and GPU-assisted validation if `on_device`.
struct validation {
  message_handler on_message;
  bool on_device = false;
};

/// A physical device and its queue family for compute.
struct physical_device {
  VkPhysicalDevice handle = nullptr;
  std::uint32_t queue_family = 0;
  device_description description;
};

class instance {
 public:
  /// throws  device_error: no loader, no driver, or no validation layer although it is requested
  explicit instance(const validation* validated = nullptr);
  instance(const instance&) = delete;
  instance& operator=(const instance&) = delete;

  const instance_functions& functions() const { return functions_; }
  const std::vector<physical_device>& devices() const { return devices_; }
  std::vector<device_description> descriptions() const;

 private:
  void create(const validation* validated);
  void list_devices();

  message_handler on_message_;
  instance_functions functions_;
  owned<VkInstance> handle_;
  owned<VkDebugUtilsMessengerEXT> messenger_;
  std::vector<physical_device> devices_;
};

}  // namespace ropewalk::vulkan
