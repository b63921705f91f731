// Positions in binary64: vulkan-sinusoidal-add against the definition, bit for bit.

#include <gtest/gtest.h>

#include <limits>
#include <random>
#include <string>
#include <vector>

#include "gpu/device_inputs.hpp"
#include "gpu/kernels.hpp"
#include "gpu/real_position_draws.hpp"
#include "gpu/turn_rows.hpp"
#include "gpu/watched_device.hpp"
#include "kernel/addition_case.hpp"
#include "kernel/rotation_case.hpp"
#include "ropewalk/kernel/kernel_of.hpp"
#include "ropewalk/kernel/rotation_plan.hpp"
#include "ropewalk/table/sinusoidal_entry.hpp"

namespace ropewalk::test {
namespace {

/// The sums of x and the rows of real positions.
std::vector<std::uint64_t> canonical_sums(const sinusoidal& config, const rotation_case& rotation,
                                          const std::vector<double>& positions, const tensors& in) {
  std::vector<std::uint64_t> out = in.query;
  with_format(rotation.dtype, [&]<class Float>() {
    using wide = rotation_format<Float>;
    const auto width = static_cast<std::size_t>(config.d_model),
               heads = static_cast<std::size_t>(rotation.query_heads);
    for (std::size_t token = 0; token < positions.size(); ++token)
      for (std::size_t channel = 0; channel < width; ++channel) {
        const int count = static_cast<int>(channel);
        if (content_of(count, config).holds == wave::zero) continue;
        const bits_of<wide> entry = round_sinusoidal_entry<wide>(positions[token], count, config);
        for (std::size_t head = 0; head < heads; ++head) {
          std::uint64_t& element = out[(token * heads + head) * width + channel];
          element = add_entry<Float>(static_cast<bits_of<Float>>(element), entry);
        }
      }
  });
  return out;
}

TEST(VulkanRealPositions, OfSinusoidalRowsEqualTheDefinition) {
  const watched_device device;
  std::mt19937_64 random(50);
  std::size_t entries = 0;
  for (const ropewalk_dtype dtype : dtypes)
    for (const sinusoidal_layout layout :
         {sinusoidal_layout::interleaved, sinusoidal_layout::sin_cos, sinusoidal_layout::cos_sin})
      for (const int width : {16, 33}) {
        const sinusoidal config{.d_model = width, .layout = layout, .odd = odd_width::zero};
        const rotation_case rotation = shape(dtype, width, 24, 2);
        std::vector<double> positions(24);
        for (double& position : positions) position = random_real(random);
        positions[0] = 999.5;  // a timestep
        const tensors in = random_tensors(rotation, random);
        const resolved_sinusoidal resolved(config);
        laid_out memory(rotation, in);
        memory.call.tokens.positions = {ROPEWALK_POSITIONS_F64, 1, positions.data(), {0, 0, 1}};
        const planned plan(vulkan_kernels()[2], resolved.view());
        ASSERT_EQ(plan.apply(call_for(resolved.view(), memory)), ROPEWALK_OK) << plan.error.text;
        EXPECT_EQ(
            first_difference(dtype, memory.read().query, canonical_sums(config, rotation, positions, in)), -1)
            << width << ' ' << name_of(dtype);
        entries += positions.size() * static_cast<std::size_t>(width / 2 * 2);
      }
  RecordProperty("entries", std::to_string(entries));
}

/// An offset would round where it is added to a real position.
TEST(VulkanRealPositions, OfSinusoidalRowsAreRefusedBeyondTheirDomain) {
  const watched_device device;
  std::mt19937_64 random(51);
  const rotation_case rotation = shape(ROPEWALK_F32, 8, 1, 1);
  const tensors in = random_tensors(rotation, random);
  const auto answered = [&](const sinusoidal& config, double position, std::int32_t status) {
    const resolved_sinusoidal resolved(config);
    laid_out memory(rotation, in);
    memory.call.tokens.positions = {ROPEWALK_POSITIONS_F64, 1, &position, {0, 0, 1}};
    const planned plan(vulkan_kernels()[2], resolved.view());
    EXPECT_EQ(plan.apply(call_for(resolved.view(), memory)), status) << position << ' ' << plan.error.text;
  };
  answered({.d_model = 8}, 0.5, ROPEWALK_OK);
  answered({.d_model = 8, .padding_idx = 1}, 0.5, ROPEWALK_UNSUPPORTED);
  answered({.d_model = 8}, std::numeric_limits<double>::quiet_NaN(), ROPEWALK_INVALID_ARGUMENT);
  answered({.d_model = 8}, end_of_positions, ROPEWALK_UNDECIDED);
  EXPECT_EQ(vulkan_kernels()[2].limits->position_kinds, all_position_kinds);
  EXPECT_EQ(vulkan_kernels()[3].limits->position_kinds, 0u);
}

}  // namespace
}  // namespace ropewalk::test
