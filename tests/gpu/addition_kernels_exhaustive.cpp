// At least 10^8 sums each of vulkan-sinusoidal-add and vulkan-alibi-add have the bits of the CPU kernels'
// sums.

#include <gtest/gtest.h>

#include "gpu/compared_outputs.hpp"
#include "gpu/device_inputs.hpp"
#include "gpu/kernels.hpp"
#include "kernel/kernels.hpp"
#include "ropewalk/kernel/resolved_alibi.hpp"
#include "ropewalk/kernel/resolved_sinusoidal.hpp"

namespace ropewalk::test {
namespace {

TEST(VulkanSinusoidalExhaustive, AHundredMillionSumsAreTheProcessors) {
  constexpr std::int64_t tokens = 16384;
  std::mt19937_64 random(2028);
  std::int64_t outputs = 0;
  for (const int width : {1024, 510})
    for (const sinusoidal_layout layout :
         {sinusoidal_layout::interleaved, sinusoidal_layout::sin_cos, sinusoidal_layout::cos_sin})
      for (const ropewalk_dtype dtype : dtypes) {
        sinusoidal config{.d_model = width, .layout = layout};
        if (layout == sinusoidal_layout::sin_cos) config.padding_idx = 1;
        const resolved_sinusoidal encoding(config);
        EXPECT_EQ(different_outputs(vulkan_kernels()[2], addition_kernels()[0], encoding.view(), dtype,
                                    random_positions(tokens, random), 1, width, random),
                  0)
            << width << ' ' << name_of(dtype);
        outputs += tokens * width;
      }
  EXPECT_GE(outputs, 100'000'000);
  RecordProperty("outputs", std::to_string(outputs));
}

/// Consecutive queries that begin at random positions of every magnitude.
TEST(VulkanAlibiExhaustive, AHundredMillionSumsAreTheProcessors) {
  constexpr std::int64_t queries = 256, keys = 501;
  std::mt19937_64 random(2029);
  std::int64_t outputs = 0;
  for (const alibi_form form : {alibi_form::causal, alibi_form::symmetric, alibi_form::last_key})
    for (const int heads : {8, 12, 16, 40, 112})
      for (const ropewalk_dtype dtype : dtypes) {
        const resolved_alibi encoding({.heads = heads, .form = form});
        std::vector<std::int32_t> positions(queries);
        for (std::int32_t at = random_positions(1, random)[0]; std::int32_t & position : positions)
          position = static_cast<std::int32_t>(static_cast<std::uint32_t>(at) +
                                               static_cast<std::uint32_t>(&position - positions.data()));
        EXPECT_EQ(different_outputs(vulkan_kernels()[3], addition_kernels()[1], encoding.view(), dtype,
                                    positions, heads, keys, random),
                  0)
            << heads << ' ' << name_of(dtype);
        outputs += queries * heads * keys;
      }
  EXPECT_GE(outputs, 100'000'000);
  RecordProperty("outputs", std::to_string(outputs));
}

}  // namespace
}  // namespace ropewalk::test
