#pragma once
// Errors of a device, its driver or the loader.

#include <cstdint>
#include <string>
#include <string_view>

#include "ropewalk/kernel/error.hpp"

namespace ropewalk::vulkan {

/// A device, its driver or the loader is missing or failed.
struct device_error : device_failure {
  using device_failure::device_failure;
};

/// No suitable device: no loader, no driver, no hardware, or none that meets the requirements.
struct no_device : device_error {
  using device_error::device_error;
};

/// The device was lost, and with it the results of its commands. Plans on it serve no more calls; new plans
/// may.
struct device_lost : device_error {
  using device_error::device_error;
};

/// The name of a VkResult, spelled as in the specification.
std::string result_name(std::int32_t result);

/// Throws device_lost or another device_error that names the call, unless the result is a success.
void require_success(std::int32_t result, std::string_view call);

}  // namespace ropewalk::vulkan
