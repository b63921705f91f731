// 10^8 outputs of vulkan-turns and more, equal to the processor's bits.

#include <gtest/gtest.h>

#include <cstring>
#include <random>

#include "gpu/kernels.hpp"
#include "kernel/kernels.hpp"
#include "kernel/rotation_case.hpp"
#include "ropewalk/kernel/tensor.hpp"

namespace ropewalk::test {
namespace {

/// Positions of every size and both signs; elements of every bit pattern.
TEST(VulkanRopeExhaustive, AHundredMillionOutputsAreTheProcessors) {
  constexpr std::int64_t tokens = 32768;
  constexpr int channels = 128;
  std::mt19937_64 random(2026);
  std::int64_t outputs = 0;
  for (const double base : {10000.0, 500000.0, 1e6})
    for (const pairing pairs : {pairing::interleaved, pairing::half_split})
      for (const ropewalk_dtype dtype : {ROPEWALK_F32, ROPEWALK_F16, ROPEWALK_BF16})
        for (int run = 0; run < 2; ++run) {
          const rotation_case given{
              .encoding = {.base = base, .rotary_dim = channels},
              .layout = {.head_dim = channels, .pairing_in = pairs, .pairing_out = pairs}};
          const std::size_t bytes = tokens * channels * static_cast<std::size_t>(size_of(dtype));
          std::vector<std::uint64_t> in(bytes / 8), device_out(bytes / 8), processor_out(bytes / 8);
          for (std::uint64_t& word : in) word = random();
          std::vector<std::int32_t> positions(tokens);
          for (std::int32_t& one : positions) {
            const auto magnitude = static_cast<std::int32_t>(random() >> (33 + random() % 31));
            one = random() % 2 == 0 ? magnitude : -magnitude - 1;
          }
          ropewalk_call call{};
          call.struct_size = sizeof call;
          call.query_in = {in.data(), dtype, 3, {tokens, 1, channels}, {channels, channels, 1}};
          call.query_out = call.query_in;
          call.positions = positions.data();
          call.position_stride[2] = 1;
          call.token_end = tokens;
          const auto applied = [&](const ropewalk_kernel& kernel, std::vector<std::uint64_t>& out) {
            call.query_out.data = out.data();
            const planned plan(kernel, given);
            ASSERT_EQ(plan.apply(call), ROPEWALK_OK) << plan.error.text;
          };
          applied(vulkan_kernels()[0], device_out);
          applied(cpu_turns_kernel(), processor_out);
          with_format(dtype, [&]<class Float>() {
            std::int64_t wrong = 0;
            for (std::size_t i = 0; i < bytes; i += sizeof(bits_of<Float>)) {
              const auto got = load<Float>(reinterpret_cast<const std::byte*>(device_out.data()) + i),
                         wanted = load<Float>(reinterpret_cast<const std::byte*>(processor_out.data()) + i);
              wrong += same_bits<Float>(got, wanted) ? 0 : 1;
            }
            EXPECT_EQ(wrong, 0) << base << ' ' << name_of(dtype);
          });
          outputs += tokens * channels;
        }
  EXPECT_GE(outputs, 100'000'000);
  RecordProperty("outputs", std::to_string(outputs));
}

}  // namespace
}  // namespace ropewalk::test
