#include "gpu/vulkan/description.hpp"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <iterator>

#include "gpu/vulkan/error.hpp"

namespace ropewalk::vulkan {
namespace {

std::string lower(std::string_view text) {
  std::string lower;
  std::transform(text.begin(), text.end(), std::back_inserter(lower),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return lower;
}

/// The non-negative number that the whole text spells, or -1.
long index_of(std::string_view text) {
  long index = -1;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), index);
  return error == std::errc() && end == text.data() + text.size() && index >= 0 ? index : -1;
}

std::string listed(std::span<const device_description> devices) {
  std::string text;
  for (std::size_t i = 0; i < devices.size(); ++i)
    text += (i == 0 ? "" : ", ") + std::to_string(i) + " (" + devices[i].name + ")";
  return text;
}

}  // namespace

std::string_view name_of(device_kind kind) {
  switch (kind) {
    case device_kind::discrete: return "discrete";
    case device_kind::integrated: return "integrated";
    case device_kind::virtual_gpu: return "virtual";
    case device_kind::cpu: return "cpu";
    case device_kind::other: return "other";
  }
  return "other";
}

std::string text_of(const version& version) {
  return std::to_string(version.major) + "." + std::to_string(version.minor) + "." +
         std::to_string(version.patch);
}

std::string text_of(const device_description& device) {
  return device.name + ", " + (device.driver.empty() ? "unnamed driver" : device.driver) + ", Vulkan " +
         text_of(device.api);
}

std::string lacking(const device_description& device, const device_requirements& requirements) {
  std::string lacking;
  const auto require = [&lacking](bool has, const std::string& what) {
    if (!has) lacking += (lacking.empty() ? "" : ", ") + what;
  };
  require(device.api >= requirements.api,
          "Vulkan " + text_of(requirements.api) + " (it has " + text_of(device.api) + ")");
  require(device.computes, "a compute queue");
  const device_limits& limits = device.limits;
  require(limits.workgroup_invocations >= requirements.workgroup_invocations,
          std::to_string(requirements.workgroup_invocations) + " invocations in a workgroup");
  require(limits.push_constant_bytes >= requirements.push_constant_bytes,
          std::to_string(requirements.push_constant_bytes) + " bytes of push constants");
  require(limits.storage_buffers >= requirements.storage_buffers,
          std::to_string(requirements.storage_buffers) + " storage buffers in a shader");
  require(device.float32.rounds_to_nearest_even || !requirements.rounds_to_nearest_even,
          "shaderRoundingModeRTEFloat32, without which the rounding of additions is unspecified");
  return lacking;
}

std::vector<std::size_t> distinct(std::span<const device_description> devices) {
  std::vector<std::size_t> distinct;
  for (std::size_t i = 0; i < devices.size(); ++i) {
    const auto same = std::find_if(distinct.begin(), distinct.end(),
                                   [&](std::size_t other) { return devices[other].uuid == devices[i].uuid; });
    if (same == distinct.end())
      distinct.push_back(i);
    else if (devices[*same].api < devices[i].api)
      *same = i;
  }
  return distinct;
}

namespace {

/// The device with the index `wanted`. Otherwise, of the devices whose name contains `wanted`, the first that
/// meets all requirements, or the first if none does.
std::size_t wanted_device(std::span<const device_description> devices,
                          const device_requirements& requirements, std::string_view name) {
  const long index = index_of(name);
  if (index >= 0 && static_cast<std::size_t>(index) < devices.size()) return static_cast<std::size_t>(index);
  std::vector<std::size_t> named;
  for (std::size_t i = 0; i < devices.size(); ++i)
    if (lower(devices[i].name).find(lower(name)) != std::string::npos) named.push_back(i);
  if (named.empty()) throw device_error("device is " + std::string(name) + "; there are: " + listed(devices));
  const auto match = std::find_if(named.begin(), named.end(),
                                  [&](std::size_t i) { return lacking(devices[i], requirements).empty(); });
  return match == named.end() ? named.front() : *match;
}

}  // namespace

std::size_t choose(std::span<const device_description> devices, const device_requirements& requirements,
                   std::string_view name) {
  if (devices.empty()) throw no_device("no Vulkan device: the installed drivers found no supported hardware");
  if (!name.empty()) {
    const std::size_t chosen = wanted_device(devices, requirements, name);
    const std::string lacks = lacking(devices[chosen], requirements);
    if (!lacks.empty()) throw device_error("device " + devices[chosen].name + " lacks " + lacks);
    return chosen;
  }
  std::vector<std::size_t> order = distinct(devices);
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return devices[a].kind < devices[b].kind; });
  std::string refused;
  for (const std::size_t i : order) {
    const std::string lacks = lacking(devices[i], requirements);
    if (lacks.empty()) return i;
    refused += "; " + devices[i].name + " lacks " + lacks;
  }
  throw no_device("no suitable Vulkan device" + refused);
}

}  // namespace ropewalk::vulkan
