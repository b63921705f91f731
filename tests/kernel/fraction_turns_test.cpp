// Frequencies that are fractions of a turn: rows from an encoding's 256 bits have the exact zeros that rows
// from its configuration have.

#include <gtest/gtest.h>

#include <cstdint>
#include <numeric>

#include "ropewalk/config/axes_families.hpp"
#include "ropewalk/kernel/resolved_axes.hpp"
#include "ropewalk/kernel/rotation_plan.hpp"

namespace ropewalk {
namespace {

/// Compares every entry of both rows. Returns how many are exactly 0.
template <floating_format Float, position_number Position>
int compare_rows(const placed_rope& config, const rope_rows& resolved, Position position) {
  const rope_rows right(config);
  int zeros = 0;
  for (int pair = 0; pair < right.pairs(); ++pair) {
    const auto expected = right.entry<Float>(pair, position, false);
    const auto entry = resolved.entry<Float>(pair, position, false);
    EXPECT_EQ(entry.cos, expected.cos) << pair << " at " << position;
    EXPECT_EQ(entry.sin, expected.sin) << pair << " at " << position;
    zeros += (expected.cos == 0) + (expected.sin == 0);
  }
  return zeros;
}

TEST(FractionTurns, OfDinov3HaveExactZerosWhereTheyAreQuartersOfATurn) {
  const axes_family& dinov3 = *family_named("dinov3");
  const placed_rope config{dinov3.encoding, dinov3.axes_of(32), {}};
  const resolved_axes encoding(config.encoding, config.axes, {.head_dim = 64});
  const rope_rows resolved = detail::resolved_rows(encoding.view());
  int zeros = 0;
  for (const std::int64_t position : {5, 10, 15, -5, 20, 2'147'483'645}) {
    zeros += compare_rows<float>(config, resolved, position);
    zeros += compare_rows<double>(config, resolved, position);
  }
  for (const double position : {2.5, -7.5, 5.0, 0.25, 1e6 + 2.5})
    zeros += compare_rows<float>(config, resolved, position);
  EXPECT_GE(zeros, 60);
}

/// The rows of pictures of every height and width up to 40 tokens: 2 (j + 1/2) / size - 1, exactly.
TEST(FractionTurns, OfCentresOfPatchesHaveExactZeros) {
  const axes_family& dinov3 = *family_named("dinov3");
  int zeros = 0;
  for (int size = 1; size <= 40; ++size) {
    placed_rope config{dinov3.encoding, dinov3.axes_of(32), {}};
    for (coordinate& at : config.coordinates) at = {{1, size}, {0, 1}};
    const resolved_axes encoding(config.encoding, config.axes, {.head_dim = 64}, {}, config.coordinates);
    const rope_rows resolved = detail::resolved_rows(encoding.view());
    for (std::int64_t j = 0; j < size; ++j) zeros += compare_rows<float>(config, resolved, 2 * j + 1 - size);
  }
  EXPECT_GE(zeros, 100);
}

}  // namespace
}  // namespace ropewalk
