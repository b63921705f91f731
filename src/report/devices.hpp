#pragma once
// Prints the Vulkan devices and the guarantees of each.

namespace ropewalk::report {

/// Queries and prints every device.
///
/// throws  vulkan::device_error if there is no loader or no device
void print_devices(bool as_json);

}  // namespace ropewalk::report
