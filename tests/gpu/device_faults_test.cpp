// A failure in the driver is an error of the call, which writes nothing; a new plan, on a new device if need
// be, serves again.

#include <gtest/gtest.h>
#include <stdlib.h>

#include <random>
#include <string>

#include "gpu/kernel_device.hpp"
#include "gpu/kernels.hpp"
#include "kernel/addition_case.hpp"

namespace ropewalk::test {
namespace {

/// While it lives, devices are created with the fault layer, which makes calls fail by `rule`. The validation
/// layer below it reports objects that leak or are freed while in use.
class faulty_driver {
 public:
  explicit faulty_driver(const std::string& rule = "") {
    setenv("VK_ADD_LAYER_PATH", ROPEWALK_FAULT_LAYER, 1);
    setenv("VK_INSTANCE_LAYERS", "VK_LAYER_ROPEWALK_fault", 1);
    follow(rule);
    vulkan::wish_for({.device = {}, .validated = &validation_, .options = {}});
  }
  faulty_driver(const faulty_driver&) = delete;
  faulty_driver& operator=(const faulty_driver&) = delete;
  ~faulty_driver() {
    for (const char* name : {"VK_ADD_LAYER_PATH", "VK_INSTANCE_LAYERS", "ROPEWALK_FAULT"}) unsetenv(name);
    vulkan::wish_for({});
    EXPECT_EQ(messages_, std::vector<std::string>{});
  }
  static void follow(const std::string& rule) { setenv("ROPEWALK_FAULT", rule.c_str(), 1); }

 private:
  std::vector<std::string> messages_;
  /// Ignores the loader's messages, which are about the environment and about the failing calls.
  vulkan::validation validation_{[this](const std::string& text) {
    if (!text.starts_with("Loader Message")) messages_.push_back(text);
  }};
};

const ropewalk_kernel& turns() { return vulkan_kernels()[0]; }

TEST(DeviceFaults, WhatFailsWhileADeviceIsMadeIsAStatusOfThePlan) {
  for (const auto& [rule, said] :
       {std::pair{"vkCreateInstance:1:-1", "vkCreateInstance returned VK_ERROR_OUT_OF_HOST_MEMORY"},
        {"vkCreateDevice:1:-8", "vkCreateDevice returned VK_ERROR_FEATURE_NOT_PRESENT"},
        {"vkCreateComputePipelines:1:-2", "vkCreateComputePipelines returned VK_ERROR_OUT_OF_DEVICE_MEMORY"},
        {"vkQueueSubmit:1:-4", "vkQueueSubmit returned VK_ERROR_DEVICE_LOST"},
        {"vkAllocateMemory:0:-2", "vkAllocateMemory of"}}) {
    const faulty_driver driver(rule);
    const planned plan(turns(), rotation_case{});
    EXPECT_EQ(plan.status, ROPEWALK_DEVICE_FAILED) << rule;
    EXPECT_STREQ(plan.error.field, "device");
    EXPECT_NE(std::string(plan.error.text).find(said), std::string::npos) << plan.error.text;
  }
}

/// A kernel with an input, and the output bits expected if nothing fails.
template <class Encoding>
struct faulty_case {
  const ropewalk_kernel& kernel;
  Encoding encoding;
  rotation_case rotation;
  tensors in;
  std::vector<std::uint64_t> wanted;
};

template <class Encoding>
void expect_nothing_written(const faulty_case<Encoding>& first, const std::string& rule) {
  SCOPED_TRACE(std::string(first.kernel.name) + ' ' + rule);
  const faulty_driver driver;
  const planned plan(first.kernel, first.encoding);
  ASSERT_EQ(plan.status, ROPEWALK_OK) << plan.error.text;
  laid_out memory(first.rotation, first.in);
  const tensors before = memory.read();
  faulty_driver::follow(rule);
  const auto call = call_for(first.encoding, memory);
  EXPECT_EQ(plan.apply(call), ROPEWALK_DEVICE_FAILED);
  EXPECT_EQ(memory.read(), before);
  EXPECT_STREQ(plan.error.field, "device");
  faulty_driver::follow("");
  const bool is_lost = rule.ends_with(":-4") || rule.ends_with(":2");
  EXPECT_EQ(plan.apply(call), is_lost ? ROPEWALK_DEVICE_FAILED : ROPEWALK_OK);
  const planned anew(first.kernel, first.encoding);
  ASSERT_EQ(anew.status, ROPEWALK_OK) << anew.error.text;
  laid_out again(first.rotation, first.in);
  EXPECT_EQ(anew.apply(call_for(first.encoding, again)), ROPEWALK_OK) << anew.error.text;
  EXPECT_EQ(first_difference(first.rotation.dtype, again.read().query, first.wanted), -1);
}

template <class Encoding>
void expect_no_fault_written(const faulty_case<Encoding>& first) {
  for (const char* const rule :
       {"vkAllocateMemory:0:-2", "vkAllocateMemory:3:-1", "vkCreateBuffer:2:-1", "vkMapMemory:1:-5",
        "vkCreateComputePipelines:1:-1", "vkCreateCommandPool:1:-1", "vkAllocateCommandBuffers:1:-1",
        "vkEndCommandBuffer:1:-2", "vkCreateFence:1:-1", "vkQueueSubmit:1:-2", "vkQueueSubmit:1:-4",
        "vkWaitForFences:1:-4", "vkWaitForFences:1:2"})
    expect_nothing_written(first, rule);
}

TEST(DeviceFaults, WhatFailsInACallWritesNothing) {
  std::mt19937_64 random(3);
  const rotation_case rotated{.tokens = 5};
  const tensors in = random_tensors(rotated, random);
  const resolved_encoding rope_encoding(rotated.encoding, rotated.layout);
  const sinusoidal row_config{.d_model = 8};
  const alibi bias_config{.heads = 2};
  const resolved_sinusoidal rows(row_config);
  const resolved_alibi biases(bias_config);
  const rotation_case added = shape(ROPEWALK_F32, 8, 5, 2);
  const tensors sums_in = random_tensors(added, random);
  const auto kernels = vulkan_kernels();
  const auto turned = canonical(rotated, in).query;
  for (const ropewalk_kernel& kernel : {kernels[0], kernels[1]})
    expect_no_fault_written(
        faulty_case<ropewalk_rotation>{kernel, rope_encoding.view(), rotated, in, turned});
  expect_no_fault_written(faulty_case<ropewalk_row_addition>{kernels[2], rows.view(), added, sums_in,
                                                             canonical_sums(row_config, added, sums_in)});
  expect_no_fault_written(faulty_case<ropewalk_bias_addition>{kernels[3], biases.view(), added, sums_in,
                                                              canonical_sums(bias_config, added, sums_in)});
}

/// Out of host memory, idle buffers of earlier calls are freed; out of device memory, the next memory type is
/// used.
TEST(DeviceFaults, ShortMemoryIsFoundElsewhere) {
  std::mt19937_64 random(4);
  const faulty_driver driver;
  const planned plan(turns(), rotation_case{.tokens = 5});
  std::int64_t tokens = 5;
  for (const char* const rule : {"", "vkAllocateMemory:1:-1", "vkAllocateMemory:1:-2"}) {
    const rotation_case rotation{.tokens = tokens};
    tokens *= 100;  // more than any idle buffer holds
    const tensors in = random_tensors(rotation, random);
    laid_out memory(rotation, in);
    faulty_driver::follow(rule);
    EXPECT_EQ(plan.apply(memory.call), ROPEWALK_OK) << rule << ": " << plan.error.text;
    EXPECT_EQ(first_difference(rotation.dtype, memory.read().query, canonical(rotation, in).query), -1);
  }
}

}  // namespace
}  // namespace ropewalk::test
