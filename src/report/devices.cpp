#include "report/devices.hpp"

#include <fmt/format.h>

#include <iostream>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "gpu/arithmetic.hpp"
#include "gpu/kernel_device.hpp"
#include "gpu/vulkan/error.hpp"
#include "output/record.hpp"

namespace ropewalk::report {
namespace {

using input::json;

/// A device, and the result of its query.
struct asked_device {
  vulkan::device_description description;
  vulkan::arithmetic arithmetic;
  std::string refused;  // why it cannot serve canonical kernels; empty if it can
};

asked_device asked(const std::shared_ptr<const vulkan::instance>& instance, std::size_t index) {
  asked_device result{instance->devices()[index].description, {}, {}};
  const std::string lacks = vulkan::lacking(result.description, {});
  if (!lacks.empty()) {
    result.refused = "lacks " + lacks;
    return result;
  }
  try {
    vulkan::device device(instance, index);
    result.arithmetic = vulkan::arithmetic_of(device);
    if (!result.arithmetic.is_canonical())
      result.refused = "does not preserve subnormals, signed zeros, infinities or NaN";
  } catch (const vulkan::device_error& error) {
    result.refused = error.what();
  }
  return result;
}

std::string kernels_text(const asked_device& device) {
  if (!device.refused.empty()) return "none: " + device.refused;
  const bool all_promised = device.arithmetic.subnormals == vulkan::assurance::promised &&
                            device.arithmetic.signed_zero_inf_nan == vulkan::assurance::promised;
  return all_promised ? "canonical" : "canonical (observed in trials; the driver does not promise it)";
}

std::string rounding_text(const asked_device& device) {
  return device.description.float32.rounds_to_nearest_even ? "promised" : "missing";
}

void print_device(std::size_t index, const asked_device& device, bool is_used) {
  const vulkan::device_description& description = device.description;
  const vulkan::device_limits& limits = description.limits;
  std::cout << fmt::format("{}  {}{}\n", index, description.name, is_used ? "  <- used" : "")
            << fmt::format("   kind {}, Vulkan {}, driver {}\n", name_of(description.kind),
                           text_of(description.api),
                           description.driver.empty() ? "unnamed" : description.driver)
            << fmt::format("   binary32: nearest even {}, subnormals {}, zeros, infinities and NaN {}\n",
                           rounding_text(device), name_of(device.arithmetic.subnormals),
                           name_of(device.arithmetic.signed_zero_inf_nan))
            << fmt::format(
                   "   limits: storage buffers up to {} MiB, {} workgroups of up to {} invocations, {}\n",
                   limits.storage_buffer_bytes >> 20, limits.workgroups, limits.workgroup_invocations,
                   description.timestamp_valid_bits == 0
                       ? std::string("no timestamps")
                       : fmt::format("timestamps of {} ns, {} bits", limits.timestamp_period,
                                     description.timestamp_valid_bits))
            << fmt::format("   kernels: {}\n", kernels_text(device));
}

json record_of(std::size_t index, const asked_device& device, bool is_used) {
  const vulkan::device_description& description = device.description;
  return {{"index", index},
          {"name", description.name},
          {"driver", description.driver},
          {"kind", name_of(description.kind)},
          {"vulkan", text_of(description.api)},
          {"nearest_even", rounding_text(device)},
          {"subnormals", name_of(device.arithmetic.subnormals)},
          {"signed_zero_inf_nan", name_of(device.arithmetic.signed_zero_inf_nan)},
          {"storage_buffer_bytes", description.limits.storage_buffer_bytes},
          {"workgroups", description.limits.workgroups},
          {"workgroup_invocations", description.limits.workgroup_invocations},
          {"timestamp_period_ns", description.limits.timestamp_period},
          {"timestamp_valid_bits", description.timestamp_valid_bits},
          {"canonical", device.refused.empty()},
          {"used", is_used},
          {"refused", device.refused}};
}

/// The default device of kernels; nothing if no device can serve them.
std::optional<vulkan::device_description> used_device() {
  try {
    return vulkan::shared_device()->on().description();
  } catch (const vulkan::device_error&) {
    return std::nullopt;
  }
}

}  // namespace

void print_devices(bool as_json) {
  std::vector<asked_device> devices;
  const auto instance = std::make_shared<const vulkan::instance>();
  for (std::size_t i = 0; i < instance->devices().size(); ++i) devices.push_back(asked(instance, i));
  if (devices.empty())
    throw vulkan::device_error("no Vulkan device: the installed drivers found no supported hardware");
  json list = json::array();
  const auto used = used_device();
  for (std::size_t i = 0; i < devices.size(); ++i) {
    const vulkan::device_description& description = devices[i].description;
    const bool is_used = used && used->uuid == description.uuid && text_of(*used) == text_of(description);
    as_json ? list.push_back(record_of(i, devices[i], is_used)) : print_device(i, devices[i], is_used);
  }
  if (as_json) std::cout << output::pretty(list);
}

}  // namespace ropewalk::report
