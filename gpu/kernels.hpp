#pragma once
// The kernels for Vulkan devices, as entries of the C interface; part of the program, not of the installed
// libraries. Making a plan returns ROPEWALK_DEVICE_FAILED if there is no device, and so does a call whose
// device was lost.

#include <span>
#include <vector>

#include "ropewalk/kernel/kernel.h"

namespace ropewalk {

/// `vulkan-turns`, whose rows the device computes from integer phases, and `vulkan-table`, with rows from the
/// host.
std::vector<ropewalk_kernel> vulkan_rotations();

/// `vulkan-sinusoidal-add` and `vulkan-alibi-add`, whose entries the device computes in integer arithmetic.
std::vector<ropewalk_kernel> vulkan_additions();

/// Both lists together; never freed.
std::span<const ropewalk_kernel> vulkan_kernels();

/// `recipe-glsl`, which uses the builtin pow, cos and sin for every element, as inference engines' shaders
/// do. For comparison; not canonical.
const ropewalk_kernel& vulkan_recipe();

}  // namespace ropewalk
