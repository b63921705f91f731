#pragma once
// Vulkan devices and what each can promise.

namespace ropewalk::report {

/// Asks every device.
///
/// throws  vulkan::device_error where there is no loader or no device
void print_devices(bool as_json);

}  // namespace ropewalk::report
