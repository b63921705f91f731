// Rows of index codes: a walk, single rows and the definition give the same bits, also next to ties.

#include "ropewalk/table/index_code_rows.hpp"

#include <gtest/gtest.h>

#include <stdexcept>
#include <vector>

namespace ropewalk {
namespace {

template <floating_format Float>
void walks_and_rows_agree(const index_code& config, position_range positions) {
  const index_code_rows rows(config);
  const auto width = static_cast<std::size_t>(config.width);
  std::vector<bits_of<Float>> walked(static_cast<std::size_t>(size(positions)) * width), alone(width);
  rows.rows<Float>(positions, walked.data());
  for (std::int64_t position = positions.begin; position < positions.end; ++position) {
    rows.row<Float>(position, alone.data());
    const std::size_t at = static_cast<std::size_t>(position - positions.begin) * width;
    for (std::size_t column = 0; column < width; ++column) {
      ASSERT_EQ(walked[at + column], alone[column]) << position;
      ASSERT_EQ(alone[column], round_index_code<Float>(position, static_cast<int>(column), config))
          << position;
    }
  }
}

template <floating_format Float>
void every_code_agrees() {
  walks_and_rows_agree<Float>({.kind = index_code_kind::sine_only, .width = 5}, {-300, 300});
  walks_and_rows_agree<Float>({.kind = index_code_kind::sine_only, .width = 2, .base = 3},
                              {largest_position - 3, largest_position + 1});
  walks_and_rows_agree<Float>({.kind = index_code_kind::binary, .width = 5}, {0, 32});
  walks_and_rows_agree<Float>({.kind = index_code_kind::normalised, .length = 300}, {0, 300});
  walks_and_rows_agree<Float>({.kind = index_code_kind::integer}, {-70000, -69990});
}

TEST(IndexCodeRows, WalksAndSingleRowsAreTheDefinition) {
  every_code_agrees<double>();
  every_code_agrees<float>();
  every_code_agrees<binary16>();
  every_code_agrees<bfloat16>();
}

TEST(IndexCodeRows, SineOfATieIsBelowIt) {
  // 3 x 2^-1074 / 2 is the midpoint of two subnormal numbers, and its sine lies just below it.
  const index_code config{.kind = index_code_kind::sine_only, .width = 2, .base = 4};
  EXPECT_EQ(round_sine_only<double>(0x3p-1074, 1, config), 1U);
  EXPECT_EQ(round_sine_only<double>(-0x3p-1074, 1, config), format<double>::sign_bit | 1U);
  std::uint64_t row[2];
  index_code_rows(config).row<double>(0x3p-1074, row);
  EXPECT_EQ(row[0], 3U);
  EXPECT_EQ(row[1], 1U);
}

TEST(IndexCodeRows, PositionsThatNoBinary64HoldsAreNotRounded) {
  const index_code config{.kind = index_code_kind::sine_only, .width = 1};
  const index_code_rows rows(config);
  const std::int64_t even = std::int64_t{1} << 53, odd = even + 1;
  std::uint64_t bits = 0;
  rows.row<double>(odd, &bits);
  EXPECT_EQ(bits, round_index_code<double>(odd, 0, config));
  EXPECT_NE(bits, round_index_code<double>(even, 0, config));
}

TEST(IndexCodeRows, OtherCodesHaveNoFractions) {
  std::uint32_t out[3];
  EXPECT_THROW(index_code_rows({.kind = index_code_kind::binary, .width = 3}).row<float>(0.5, out),
               std::invalid_argument);
  EXPECT_THROW(index_code_rows({.kind = index_code_kind::binary, .width = 3}).row<float>(8, out),
               std::invalid_argument);
  EXPECT_THROW(index_code_rows({.kind = index_code_kind::sine_only, .width = 0}), std::invalid_argument);
}

}  // namespace
}  // namespace ropewalk
