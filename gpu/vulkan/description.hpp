#pragma once
// What a physical device says of itself, and which one to take: no call, so that devices nobody owns can be tested.

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace ropewalk::vulkan {

enum class device_kind { discrete, integrated, virtual_gpu, cpu, other };  // in the order of preference

std::string_view name_of(device_kind kind);

/// A version as Vulkan packs it, without its variant.
struct version {
  std::uint32_t major = 0;
  std::uint32_t minor = 0;
  std::uint32_t patch = 0;
  friend auto operator<=>(const version&, const version&) = default;
};

std::string text_of(const version& version);

/// What binary32 arithmetic in a shader may be asked for.
struct float_controls {
  bool rounds_to_nearest_even = false;
  bool preserves_denormals = false;
  bool preserves_signed_zero_inf_nan = false;
};

struct device_limits {
  std::uint64_t storage_buffer_bytes = 0;  // that one descriptor may reach
  std::uint32_t workgroups = 0;            // on the first axis of a dispatch
  std::uint32_t workgroup_invocations = 0;
  std::uint32_t push_constant_bytes = 0;
  std::uint32_t storage_buffers = 0;    // that one shader stage may have
  std::uint64_t non_coherent_atom = 1;  // bytes
  double timestamp_period = 0;          // nanoseconds of a tick
};

struct device_description {
  std::string name;
  std::string driver;
  device_kind kind = device_kind::other;
  std::array<std::uint8_t, 16> uuid{};
  version api;
  bool computes = false;                   // has a queue family that does
  std::uint32_t timestamp_valid_bits = 0;  // of that family; 0: no timestamps
  float_controls float32;
  device_limits limits;
};

/// What a kernel needs of its device.
struct device_requirements {
  version api{1, 2, 0};
  std::uint32_t workgroup_invocations = 64;
  std::uint32_t push_constant_bytes = 128;
  std::uint32_t storage_buffers = 6;
  bool rounds_to_nearest_even = true;
};

/// Its name, its driver and what it speaks.
std::string text_of(const device_description& device);

/// What the device lacks of it, in words; empty: nothing.
std::string lacking(const device_description& device, const device_requirements& requirements);

/// Indices of devices, each physical one once: a loader with two drivers lists it twice. The newer version stays.
std::vector<std::size_t> distinct(std::span<const device_description> devices);

/// Index of the device to take: the one that is `wanted`, by its index or else a part of its name (any case), else the first that
/// lacks nothing, discrete before integrated before virtual before CPU.
///
/// throws  device_error: no device, none that is wanted, or none that lacks nothing; each is named with what it lacks
std::size_t choose(std::span<const device_description> devices, const device_requirements& requirements,
                   std::string_view wanted = {});

}  // namespace ropewalk::vulkan
