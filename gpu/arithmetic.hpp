#pragma once
// Properties of a device's binary32 arithmetic, each promised by the driver or observed by a probe.

#include <string_view>

#include "gpu/vulkan/device.hpp"

namespace ropewalk::vulkan {

enum class assurance {
  promised,  // the driver promises the property, and the probe found no exception
  observed,  // the driver does not promise it, but the probe found no exception
  missing    // the driver does not promise it, and the probe found exceptions
};

std::string_view name_of(assurance assurance);

/// Result of the probe of a device's binary32 arithmetic. Rounding to nearest even is not included: the
/// driver must promise it, because a small number of sums cannot establish it.
struct arithmetic {
  assurance subnormals = assurance::missing;
  assurance signed_zero_inf_nan = assurance::missing;

  bool is_canonical() const {
    return subnormals != assurance::missing && signed_zero_inf_nan != assurance::missing;
  }
};

/// Multiplies, adds and subtracts pairs of numbers on the device, including subnormals, infinities and zeros,
/// and compares the bits with the correct results.
///
/// domain  a device that promises to round to nearest even
/// throws  device_error; also if a result breaks a promise of the driver
arithmetic arithmetic_of(device& device);

}  // namespace ropewalk::vulkan
