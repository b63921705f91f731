#pragma once
// How fast a Vulkan device copies within its own memory: what none of its kernels can exceed.

#include <cstddef>

#include "bench/ceilings.hpp"
#include "gpu/kernel_device.hpp"

namespace ropewalk::bench {

// More than most devices' caches hold; 128 MiB took a software device 3 s.
inline constexpr std::size_t device_copy_bytes = std::size_t{64} << 20;

/// The contiguous copy of so many bytes on a device, by a shader or by vkCmdCopyBuffer, whichever is faster,
/// timed by the device. Its level is "device", and its threads are 0: none of the host's.
///
/// domain  a multiple of 16 bytes
/// throws  device_error: no memory, no timestamps; std::logic_error: the copy differs from its source
ceiling device_ceiling(vulkan::kernel_device& device, std::size_t bytes = device_copy_bytes);

}  // namespace ropewalk::bench
