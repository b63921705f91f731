// The witness of rows: it marks what it does not decide, and says how far its values may be off.

#include "kernel/phase_rows.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <vector>

#include "kernel/quarter_turn.hpp"
#include "ropewalk/kernel/resolved.hpp"

namespace ropewalk::test::phase_rows_test {
namespace {

/// Rows of eight pairs with an attention factor.
struct scaled_rows {
  explicit scaled_rows(double factor)
      : resolved({.base = 10000,
                  .rotary_dim = 16,
                  .scaling =
                      yarn{.factor = 4, .original_max_position_embeddings = 64, .attention_factor = factor}},
                 {.head_dim = 16}),
        plan(resolved.view()),
        fast(plan, *simd::targets().front()),
        rows(fast),
        cos(phase_rows::most_rows * static_cast<std::size_t>(rows.width()) + simd::row_multiple),
        sin(cos.size()) {}

  std::uint32_t fill(position_range positions) {
    return rows.fill(positions, quarter_turn::relative_error, cos.data(), sin.data());
  }

  resolved_encoding resolved;
  rotation_plan plan;
  fast_rows fast;
  phase_rows rows;
  std::vector<float> cos, sin;
};

TEST(PhaseRows, MarkPositionZeroWhereverItLies) {
  scaled_rows rows(1.25);
  EXPECT_EQ(rows.fill({0, 4}) & 15, 1u);
  EXPECT_EQ(rows.fill({-3, 1}) & 8, 8u);
  EXPECT_EQ(rows.fill({1, 5}), 0u);
  const auto entry = rows.plan.rows.entry<float>(2, std::int64_t{3}, false);
  EXPECT_EQ(to_bits(rows.cos[2 * static_cast<std::size_t>(rows.rows.width()) + 2]), entry.cos);
  EXPECT_EQ(to_bits(rows.sin[2 * static_cast<std::size_t>(rows.rows.width()) + 2]), entry.sin);
}

TEST(PhaseRows, MarkEveryRowWhereVectorsCannotServe) {
  scaled_rows rows(0x1p-140);
  EXPECT_EQ(rows.fill({1, 4}), 7u);
  EXPECT_EQ(rows.fill({1, 33}), ~std::uint32_t{0});
  EXPECT_EQ(rows.rows.phase_error(0), std::numeric_limits<double>::infinity());
}

TEST(PhaseRows, ErrorsGrowWithTheAttentionFactor) {
  EXPECT_EQ(scaled_rows(1).rows.phase_error(3), quarter_turn::phase_error);
  EXPECT_EQ(scaled_rows(4).rows.phase_error(3), 4 * quarter_turn::phase_error);
}

}  // namespace
}  // namespace ropewalk::test::phase_rows_test
