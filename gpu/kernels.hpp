#pragma once
// The kernels of Vulkan devices, by their C entries; the program has them, the installed libraries do not. A plan answers
// ROPEWALK_DEVICE_FAILED where there is no device, and so does a call whose device was lost.

#include <span>
#include <vector>

#include "ropewalk/kernel/kernel.h"

namespace ropewalk {

/// `vulkan-turns`, whose rows the device makes from integer phases, and `vulkan-table`, whose rows the host made.
std::vector<ropewalk_kernel> vulkan_rotations();

/// `vulkan-sinusoidal-add`, `vulkan-alibi-add`: all entries made on the device, in whole numbers.
std::vector<ropewalk_kernel> vulkan_additions();

/// Both lists together, as long as the process lives.
std::span<const ropewalk_kernel> vulkan_kernels();

/// `recipe-glsl`: the builtin pow, cos and sin for every element, as engines' shaders do. For comparing; not canonical.
const ropewalk_kernel& vulkan_recipe();

}  // namespace ropewalk
