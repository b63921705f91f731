// Every shader under GPU-assisted validation: no access leaves its buffer, and one that does is reported.

#include <gtest/gtest.h>

#include <random>
#include <string>
#include <vector>

#include "gpu/device_inputs.hpp"
#include "gpu/kernels.hpp"
#include "gpu/rotation_work.hpp"
#include "gpu/vulkan/transfer.hpp"
#include "gpu/watched_device.hpp"
#include "kernel/addition_case.hpp"

namespace ropewalk::test {
namespace {

template <class Encoding>
void expect_served(const ropewalk_kernel& kernel, const Encoding& encoding, const rotation_case& rotation) {
  std::mt19937_64 random(3);
  laid_out memory(rotation, random_tensors(rotation, random));
  const planned plan(kernel, encoding);
  ASSERT_EQ(plan.status, ROPEWALK_OK) << plan.error.text;
  EXPECT_EQ(plan.apply(call_for(encoding, memory)), ROPEWALK_OK) << kernel.name << ": " << plan.error.text;
}

TEST(OnDeviceValidation, RotationsStayInTheirBuffers) {
  const watched_device device({}, true);
  std::vector<ropewalk_kernel> kernels = vulkan_rotations();
  kernels.push_back(vulkan_recipe());
  for (const ropewalk_dtype dtype : dtypes)
    for (const int head_dim : {20, 21, 24})
      for (const ropewalk_kernel& kernel : kernels) {
        if (head_dim % 4 != 0 && std::string(kernel.name) == "recipe-glsl") continue;
        rotation_case rotation{.dtype = dtype, .tokens = 37, .query_heads = 11};
        rotation.encoding = {.base = 10000, .rotary_dim = 16};
        rotation.layout = {.head_dim = head_dim};
        const resolved_encoding encoding(rotation.encoding, rotation.layout);
        expect_served(kernel, encoding.view(), rotation);
      }
}

TEST(OnDeviceValidation, AdditionsStayInTheirBuffers) {
  const watched_device device({}, true);
  for (const ropewalk_dtype dtype : dtypes)
    for (const int width : {21, 24}) {
      const resolved_sinusoidal rows({.d_model = width, .odd = odd_width::zero});
      expect_served(vulkan_kernels()[2], rows.view(), shape(dtype, width, 37, 1));
      const resolved_alibi biases({.heads = 11});
      expect_served(vulkan_kernels()[3], biases.view(), shape(dtype, width, 37, 11));
    }
}

/// Copies 16 bytes more than the output buffer holds.
TEST(OnDeviceValidation, NoticesWhatLeavesItsBuffer) {
  std::vector<std::string> messages;
  const vulkan::validation validated{[&](const std::string& text) { messages.push_back(text); }, true};
  vulkan::wish_for({.device = {}, .validated = &validated});
  {
    const auto on = vulkan::shared_device();
    const vulkan::input_buffer in(on->on(), 4096);
    const vulkan::buffer out(on->on(), 4096 - 16, vulkan::memory_kind::device);
    vulkan::commands work(on->on());
    in.send(work);
    work.barrier();
    vulkan::record_raw_copy(*on, work, in.on_device(), out);
    work.run();
  }
  vulkan::wish_for({});
  ASSERT_FALSE(messages.empty());
  EXPECT_NE(messages.front().find("out of bounds"), std::string::npos) << messages.front();
}

}  // namespace
}  // namespace ropewalk::test
