#pragma once
// Copy speed of a Vulkan device within its own memory: a ceiling for its kernels.

#include <cstddef>

#include "bench/ceilings.hpp"
#include "gpu/kernel_device.hpp"

namespace ropewalk::bench {

// More than most devices' caches hold; 128 MiB took a software device 3 s.
inline constexpr std::size_t device_copy_bytes = std::size_t{64} << 20;

/// The contiguous copy of `bytes` on a device, by a shader or by vkCmdCopyBuffer, whichever is faster, timed
/// by the device. Its level is "device", and it has 0 threads of the host.
///
/// domain  a multiple of 16 bytes
/// throws  device_error if there is no memory or no timestamp; std::logic_error if the copy differs from its
///         source
ceiling device_ceiling(vulkan::kernel_device& device, std::size_t bytes = device_copy_bytes);

}  // namespace ropewalk::bench
