// What fails in the driver is an error of the call, nothing is written, and a new plan on a new device serves again.

#include <gtest/gtest.h>
#include <stdlib.h>

#include <random>
#include <string>

#include "gpu/kernel_device.hpp"
#include "gpu/kernels.hpp"
#include "kernel/rotation_case.hpp"

namespace ropewalk::test {
namespace {

/// While it lives, devices are made with the layer that fails, by this rule.
class faulty_driver {
 public:
  explicit faulty_driver(const std::string& rule = "") {
    setenv("VK_ADD_LAYER_PATH", ROPEWALK_FAULT_LAYER, 1);
    setenv("VK_INSTANCE_LAYERS", "VK_LAYER_ROPEWALK_fault", 1);
    follow(rule);
    vulkan::wish_for({});
  }
  faulty_driver(const faulty_driver&) = delete;
  faulty_driver& operator=(const faulty_driver&) = delete;
  ~faulty_driver() {
    for (const char* name : {"VK_ADD_LAYER_PATH", "VK_INSTANCE_LAYERS", "ROPEWALK_FAULT"}) unsetenv(name);
    vulkan::wish_for({});
  }
  static void follow(const std::string& rule) { setenv("ROPEWALK_FAULT", rule.c_str(), 1); }
};

const ropewalk_kernel& turns() { return vulkan_kernels()[0]; }

TEST(DeviceFaults, WhatFailsWhileADeviceIsMadeIsAStatusOfThePlan) {
  for (const auto& [rule, said] :
       {std::pair{"vkCreateInstance:1:-1", "vkCreateInstance returned VK_ERROR_OUT_OF_HOST_MEMORY"},
        {"vkCreateDevice:1:-8", "vkCreateDevice returned VK_ERROR_FEATURE_NOT_PRESENT"},
        {"vkCreateComputePipelines:1:-2", "vkCreateComputePipelines returned VK_ERROR_OUT_OF_DEVICE_MEMORY"},
        {"vkQueueSubmit:1:-4", "vkQueueSubmit returned VK_ERROR_DEVICE_LOST"},
        {"vkAllocateMemory:1:-2", "vkAllocateMemory of"}}) {
    const faulty_driver driver(rule);
    const planned plan(turns(), rotation_case{});
    EXPECT_EQ(plan.status, ROPEWALK_DEVICE_FAILED) << rule;
    EXPECT_STREQ(plan.error.field, "device");
    EXPECT_NE(std::string(plan.error.text).find(said), std::string::npos) << plan.error.text;
  }
}

TEST(DeviceFaults, WhatFailsInACallWritesNothing) {
  const rotation_case given{.tokens = 5};
  std::mt19937_64 random(3);
  const tensors in = random_tensors(given, random), wanted = canonical(given, in);
  for (const char* const rule :
       {"vkAllocateMemory:1:-2", "vkAllocateMemory:5:-1", "vkCreateBuffer:2:-1", "vkMapMemory:1:-5",
        "vkCreateComputePipelines:1:-1", "vkCreateCommandPool:1:-1", "vkAllocateCommandBuffers:1:-1",
        "vkEndCommandBuffer:1:-2", "vkCreateFence:1:-1", "vkQueueSubmit:1:-2", "vkQueueSubmit:1:-4",
        "vkWaitForFences:1:-4", "vkWaitForFences:1:2"}) {
    const faulty_driver driver;
    const planned plan(turns(), given);
    ASSERT_EQ(plan.status, ROPEWALK_OK) << plan.error.text;
    laid_out memory(given, in);
    const tensors before = memory.read();
    faulty_driver::follow(rule);
    EXPECT_EQ(plan.apply(memory.call), ROPEWALK_DEVICE_FAILED) << rule;
    EXPECT_EQ(memory.read(), before) << rule;
    EXPECT_STREQ(plan.error.field, "device");
    faulty_driver::follow("");
    const bool is_lost = std::string(rule).ends_with(":-4") || std::string(rule).ends_with(":2");
    EXPECT_EQ(plan.apply(memory.call), is_lost ? ROPEWALK_DEVICE_FAILED : ROPEWALK_OK) << rule;
    const planned anew(turns(), given);
    ASSERT_EQ(anew.status, ROPEWALK_OK) << anew.error.text;
    laid_out again(given, in);
    EXPECT_EQ(anew.apply(again.call), ROPEWALK_OK) << rule << ": " << anew.error.text;
    EXPECT_EQ(first_difference(given.dtype, again.read().query, wanted.query), -1) << rule;
  }
}

}  // namespace
}  // namespace ropewalk::test
