// At least 10^8 outputs of vulkan-turns, and some of vulkan-table, have the bits of the CPU kernels' outputs.

#include <gtest/gtest.h>

#include <iostream>
#include <mutex>

#include "gpu/compared_outputs.hpp"
#include "gpu/kernels.hpp"
#include "kernel/fast_rows_case.hpp"
#include "kernel/kernels.hpp"
#include "oracle/models.hpp"

namespace ropewalk::test {
namespace {

TEST(VulkanRopeExhaustive, AHundredMillionOutputsAreTheProcessors) {
  constexpr std::int64_t tokens = 32768;
  constexpr int channels = 128;
  std::mt19937_64 random(2026);
  std::int64_t outputs = 0;
  for (const double base : {10000.0, 500000.0, 1e6})
    for (const pairing pairs : {pairing::interleaved, pairing::half_split})
      for (const ropewalk_dtype dtype : {ROPEWALK_F32, ROPEWALK_F16, ROPEWALK_BF16})
        for (int run = 0; run < 2; ++run) {
          const resolved_encoding encoding({.base = base, .rotary_dim = channels},
                                           {.head_dim = channels, .pairing_in = pairs, .pairing_out = pairs});
          EXPECT_EQ(different_outputs(vulkan_kernels()[0], cpu_turns_kernel(), encoding.view(), dtype,
                                      random_positions(tokens, random), 1, channels, random),
                    0)
              << base << ' ' << name_of(dtype);
          outputs += tokens * channels;
        }
  EXPECT_GE(outputs, 100'000'000);
  RecordProperty("outputs", std::to_string(outputs));
}

/// All positions at which the CPU's vector arithmetic leaves an entry of Llama 2 undecided.
TEST(VulkanRopeExhaustive, TheHardestPositionsAreTheProcessorsToo) {
  const vector_rows simd_rows(oracle::llama_2, *simd::targets().front());
  std::mutex adding;
  std::vector<std::int32_t> positions;
  for_each_undecided(simd_rows, [&](std::int64_t position, std::span<const std::uint16_t>) {
    const std::lock_guard lock(adding);
    positions.push_back(static_cast<std::int32_t>(position));
  });
  EXPECT_GT(positions.size(), 5'000u);
  std::mt19937_64 random(2030);
  EXPECT_EQ(different_outputs(vulkan_kernels()[0], cpu_turns_kernel(), simd_rows.resolved.view(),
                              ROPEWALK_F32, positions, 1, oracle::llama_2.rotary_dim, random),
            0);
  std::cout << positions.size() << " positions\n";
}

/// Rows from the host, with several heads per token.
TEST(VulkanRopeExhaustive, TableRowsAreTheProcessorsToo) {
  constexpr std::int64_t tokens = 8192, heads = 3;
  constexpr int channels = 64;
  std::mt19937_64 random(2027);
  for (const pairing pairs : {pairing::interleaved, pairing::half_split})
    for (const ropewalk_dtype dtype : {ROPEWALK_F32, ROPEWALK_F16, ROPEWALK_BF16}) {
      const resolved_encoding encoding({.base = 10000, .rotary_dim = channels},
                                       {.head_dim = channels, .pairing_in = pairs, .pairing_out = pairs});
      EXPECT_EQ(different_outputs(vulkan_kernels()[1], cpu_turns_kernel(), encoding.view(), dtype,
                                  random_positions(tokens, random), heads, channels, random),
                0)
          << name_of(dtype);
    }
}

}  // namespace
}  // namespace ropewalk::test
