#pragma once
// The canonical rotation on a Vulkan device, by its C entries.

#include <span>

#include "ropewalk/kernel/kernel.h"

namespace ropewalk {

/// `vulkan-turns`, whose rows the device makes from integer phases, and `vulkan-table`, whose rows the host made. A plan
/// answers ROPEWALK_DEVICE_FAILED where there is no device, and so does a call whose device was lost.
std::span<const ropewalk_kernel> vulkan_kernels();

}  // namespace ropewalk
