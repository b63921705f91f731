#pragma once
// What goes wrong with a device.

#include <cstdint>
#include <string>
#include <string_view>

#include "ropewalk/kernel/error.hpp"

namespace ropewalk::vulkan {

/// A device, its driver or the loader is missing, or failed.
struct device_error : device_failure {
  using device_failure::device_failure;
};

/// There is no device that could serve: no loader, no driver, no hardware, or none that has what is required.
struct no_device : device_error {
  using device_error::device_error;
};

/// The device is gone, and with it whatever it was computing. A context that saw it serves no more calls; a new one may.
struct device_lost : device_error {
  using device_error::device_error;
};

/// The name of a VkResult, as the specification spells it.
std::string result_name(std::int32_t result);

/// Throws unless the result is a success, naming the call: device_lost or another device_error.
void require_success(std::int32_t result, std::string_view call);

}  // namespace ropewalk::vulkan
