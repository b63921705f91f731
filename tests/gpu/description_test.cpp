// The choice among devices, with made-up descriptions.

#include "gpu/vulkan/description.hpp"

#include <gtest/gtest.h>

#include <string>

#include "gpu/vulkan/error.hpp"

namespace ropewalk::vulkan {
namespace {

/// A device that meets all requirements.
device_description able(const std::string& name, device_kind kind, std::uint8_t id) {
  device_description description;
  description.name = name;
  description.kind = kind;
  description.uuid[0] = id;
  description.api = {1, 2, 0};
  description.computes = true;
  description.float32.rounds_to_nearest_even = true;
  description.limits.workgroup_invocations = 128;
  description.limits.push_constant_bytes = 128;
  description.limits.storage_buffers = 8;
  return description;
}

std::vector<device_description> several() {
  return {able("llvmpipe", device_kind::cpu, 1), able("Integrated", device_kind::integrated, 2),
          able("Discrete A", device_kind::discrete, 3), able("Virtual", device_kind::virtual_gpu, 4),
          able("Discrete B", device_kind::discrete, 5)};
}

std::string refusal(const std::vector<device_description>& devices, std::string_view name = {}) {
  try {
    choose(devices, {}, name);
  } catch (const device_error& error) {
    return error.what();
  }
  return "";
}

TEST(DeviceChoice, TakesDiscreteBeforeIntegratedBeforeVirtualBeforeCpu) {
  std::vector<device_description> devices = several();
  for (const std::size_t count : {2u, 4u, 1u, 3u, 0u}) {
    EXPECT_EQ(choose(devices, {}), count);
    devices[count].computes = false;
  }
}

TEST(DeviceChoice, TakesWhatIsNamedByIndexOrByPartOfItsName) {
  EXPECT_EQ(choose(several(), {}, "0"), 0u);
  EXPECT_EQ(choose(several(), {}, "LLVM"), 0u);
  EXPECT_EQ(choose(several(), {}, "discrete"), 2u);
  EXPECT_EQ(choose(several(), {}, "Discrete B"), 4u);
}

TEST(DeviceChoice, NamesWhatThereIsWhereNothingIsLikeIt) {
  for (const char* const wanted : {"5", "-1", "GeForce", "00000000000000000000009"}) {
    const std::string said = refusal(several(), wanted);
    EXPECT_NE(said.find(std::string("device is ") + wanted), std::string::npos) << said;
    EXPECT_NE(said.find("4 (Discrete B)"), std::string::npos) << said;
  }
}

TEST(DeviceChoice, SaysWhatANamedDeviceLacksAndTakesNoOther) {
  std::vector<device_description> devices = several();
  devices[2].float32.rounds_to_nearest_even = false;
  EXPECT_NE(refusal(devices, "2").find("Discrete A lacks shaderRoundingModeRTEFloat32"), std::string::npos);
}

TEST(DeviceChoice, ANumberThatIsNoIndexMayBeAPartOfAName) {
  std::vector<device_description> devices = several();
  devices[3].name = "Card 4090";
  EXPECT_EQ(choose(devices, {}, "4090"), 3u);
  EXPECT_EQ(choose(devices, {}, "4"), 4u);
}

TEST(DeviceChoice, OfSeveralOfANameTakesOneThatLacksNothing) {
  std::vector<device_description> devices = several();
  EXPECT_EQ(choose(devices, {}, "Discrete"), 2u);
  devices[2].float32.rounds_to_nearest_even = false;
  EXPECT_EQ(choose(devices, {}, "Discrete"), 4u);
}

TEST(DeviceChoice, SaysWhatEachLacks) {
  std::vector<device_description> devices{able("old", device_kind::discrete, 1),
                                          able("small", device_kind::cpu, 2)};
  devices[0].api = {1, 1, 200};
  devices[1].limits.storage_buffers = 4;
  devices[1].limits.push_constant_bytes = 64;
  const std::string said = refusal(devices);
  EXPECT_NE(said.find("old lacks Vulkan 1.2.0 (it has 1.1.200)"), std::string::npos) << said;
  EXPECT_NE(said.find("small lacks 128 bytes of push constants, 6 storage buffers"), std::string::npos)
      << said;
  EXPECT_NE(refusal({}).find("no Vulkan device"), std::string::npos);
}

TEST(DeviceChoice, ADeviceListedTwiceIsOneAndItsNewerDriverIsTaken) {
  std::vector<device_description> devices{able("A, old driver", device_kind::discrete, 7),
                                          able("B", device_kind::discrete, 8),
                                          able("A, new driver", device_kind::discrete, 7)};
  devices[2].api = {1, 3, 0};
  EXPECT_EQ(distinct(devices), (std::vector<std::size_t>{2, 1}));
  EXPECT_EQ(choose(devices, {}), 2u);
}

}  // namespace
}  // namespace ropewalk::vulkan
