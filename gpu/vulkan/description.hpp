#pragma once
// Descriptions of physical devices, and the choice among them. Makes no Vulkan call, so that tests can
// describe any device.

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace ropewalk::vulkan {

enum class device_kind { discrete, integrated, virtual_gpu, cpu, other };  // in order of preference

std::string_view name_of(device_kind kind);

/// A version as Vulkan packs it, without its variant.
struct version {
  std::uint32_t major = 0;
  std::uint32_t minor = 0;
  std::uint32_t patch = 0;
  friend auto operator<=>(const version&, const version&) = default;
};

std::string text_of(const version& version);

/// Properties of binary32 arithmetic that a shader may request.
struct float_controls {
  bool rounds_to_nearest_even = false;
  bool preserves_denormals = false;
  bool preserves_signed_zero_inf_nan = false;
};

struct device_limits {
  std::uint64_t storage_buffer_bytes = 0;  // per descriptor
  std::uint32_t workgroups = 0;            // along the first axis of a dispatch
  std::uint32_t workgroup_invocations = 0;
  std::uint32_t push_constant_bytes = 0;
  std::uint32_t storage_buffers = 0;    // per shader stage
  std::uint64_t non_coherent_atom = 1;  // bytes
  double timestamp_period = 0;          // nanoseconds per tick
};

struct device_description {
  std::string name;
  std::string driver;
  device_kind kind = device_kind::other;
  std::array<std::uint8_t, 16> uuid{};
  version api;
  bool computes = false;                   // whether a queue family supports compute
  std::uint32_t timestamp_valid_bits = 0;  // of that queue family; 0: no timestamps
  float_controls float32;
  device_limits limits;
};

/// Requirements of kernels on their device.
struct device_requirements {
  version api{1, 2, 0};
  std::uint32_t workgroup_invocations = 64;
  std::uint32_t push_constant_bytes = 128;
  std::uint32_t storage_buffers = 6;
  bool rounds_to_nearest_even = true;
};

/// Name, driver and supported Vulkan version of a device.
std::string text_of(const device_description& device);

/// The requirements that a device does not meet, in words; empty if it meets all.
std::string lacking(const device_description& device, const device_requirements& requirements);

/// Indices of the distinct physical devices. With two drivers a loader lists a device twice; the entry with
/// the newer Vulkan version is kept.
std::vector<std::size_t> distinct(std::span<const device_description> devices);

/// Index of the device to use.
///
/// `wanted` is an index, or part of a name in any case. If it is empty, takes the first device that meets all
/// requirements, discrete before integrated before virtual before CPU.
///
/// throws  device_error: no device, no device of that name, or none that meets all requirements; lists what
///         each device lacks
std::size_t choose(std::span<const device_description> devices, const device_requirements& requirements,
                   std::string_view name = {});

}  // namespace ropewalk::vulkan
