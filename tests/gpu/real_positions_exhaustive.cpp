// Ten million cosines and sines of vulkan-turns at positions in binary64 have the bits of the definition's.

#include <gtest/gtest.h>

#include <iostream>
#include <random>
#include <vector>

#include "gpu/kernel_device.hpp"
#include "gpu/kernels.hpp"
#include "kernel/one_tensor_call.hpp"
#include "ropewalk/kernel/resolved.hpp"
#include "ropewalk/table/rope_rows.hpp"

namespace ropewalk::test {
namespace {

/// A coordinate of an image, a time in seconds, or any number below 2^31 of any magnitude above 2^-100.
double random_coordinate(std::mt19937_64& random) {
  const double unit = static_cast<double>(random() >> 11) * 0x1p-53;
  switch (random() % 4) {
    case 0: return (static_cast<double>(random() % 512) + 0.5) / 512;
    case 1: return static_cast<double>(random() % 4096) * 0.04;
    case 2: return (2 * unit - 1) * 1000;
    default: return from_bits<double>((random() % 2) << 63 | (923 + random() % 131) << 52 | random() >> 12);
  }
}

TEST(VulkanRealPositionsExhaustive, TenMillionEntriesAreTheDefinitions) {
  constexpr std::int64_t tokens = 8192, channels = 128, axes = 4;
  std::mt19937_64 random(52);
  std::int64_t entries = 0, different = 0;
  for (const double base : {100.0, 10000.0, 256.0, 500000.0, 1e6}) {
    const rope config{.base = base, .rotary_dim = channels};
    const resolved_encoding resolved(
        config,
        {.head_dim = channels, .pairing_in = pairing::interleaved, .pairing_out = pairing::interleaved});
    const rope_rows rows(config);
    ropewalk_rotation encoding = resolved.view();
    std::vector<std::int32_t> axis(channels / 2);
    for (std::size_t pair = 0; pair < axis.size(); ++pair)
      axis[pair] = static_cast<std::int32_t>(pair % axes);
    encoding.axes = axes;
    encoding.axis = axis.data();
    const planned plan(vulkan_kernels()[0], encoding);
    for (int run = 0; run < 2; ++run) {
      std::vector<double> positions(axes * tokens);
      for (double& position : positions) position = random_coordinate(random);
      std::vector<float> elements;  // (1, 0), turned to a cosine and a sine
      for (std::int64_t i = 0; i < tokens * channels / 2; ++i) elements.insert(elements.end(), {1, 0});
      ropewalk_tokens all{};
      all.positions = {ROPEWALK_POSITIONS_F64, axes, positions.data(), {tokens, 0, 1}};
      all.end = tokens;
      const ropewalk_tensor tensor{
          elements.data(), ROPEWALK_F32, 3, {tokens, 1, channels}, {channels, channels, 1}};
      ASSERT_EQ(plan.apply(one_tensor_call(encoding, all, tensor, tensor)), ROPEWALK_OK) << plan.error.text;
      for (std::int64_t token = 0; token < tokens; ++token)
        for (int pair = 0; pair < channels / 2; ++pair) {
          const double position =
              positions[static_cast<std::size_t>(axis[static_cast<std::size_t>(pair)] * tokens + token)];
          const cos_sin_bits<float> wanted = rows.entry<float>(pair, position, false);
          const float* const got = &elements[static_cast<std::size_t>(token * channels + 2 * pair)];
          different += to_bits(got[0]) != wanted.cos;
          different += to_bits(got[1]) != wanted.sin;
          entries += 2;
        }
    }
  }
  EXPECT_EQ(different, 0);
  EXPECT_GE(entries, 10'000'000);
  std::cout << entries << " entries\n";
}

}  // namespace
}  // namespace ropewalk::test
