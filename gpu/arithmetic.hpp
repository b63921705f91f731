#pragma once
// The properties of a device's binary32 arithmetic, and whether the driver promises them or a probe observed them.

#include <string_view>

#include "gpu/vulkan/device.hpp"

namespace ropewalk::vulkan {

enum class assurance {
  promised,  // the device says so
  observed,  // it does not, but every number tried came out so
  missing    // it does not, and numbers came out otherwise
};

std::string_view name_of(assurance assurance);

/// Rounding to nearest even is a promise or the device is refused: no handful of sums could show it.
struct arithmetic {
  assurance subnormals = assurance::missing;
  assurance signed_zero_inf_nan = assurance::missing;

  bool is_canonical() const {
    return subnormals != assurance::missing && signed_zero_inf_nan != assurance::missing;
  }
};

/// Multiplies, adds and subtracts pairs of numbers on the device, subnormal, infinite and zero ones among them, and compares
/// the bits.
///
/// domain  a device that promises to round to nearest even
/// throws  device_error; also where numbers come out wrong that no missing promise excuses
arithmetic arithmetic_of(device& on);

}  // namespace ropewalk::vulkan
