// Learned positions: the rows that the table holds, and an error for every other position.

#include "ropewalk/encoding/learned.hpp"

#include <gtest/gtest.h>

#include <limits>
#include <stdexcept>
#include <string>
#include <vector>

namespace ropewalk {
namespace {

constexpr learned gpt_2_small{.max_position_embeddings = 1024, .d_model = 4};

std::vector<std::uint32_t> weights() {
  std::vector<std::uint32_t> weights;
  for (int i = 0; i < 4096; ++i) weights.push_back(to_bits(static_cast<float>(i)));
  return weights;
}

std::string refusal_at(std::int64_t position) {
  const auto entries = weights();
  try {
    learned_table<float>(gpt_2_small, entries).row(position);
  } catch (const std::invalid_argument& e) {
    return e.what();
  }
  return "";
}

TEST(Learned, RowsAreThoseOfTheTable) {
  const auto entries = weights();
  const learned_table<float> table(gpt_2_small, entries);
  for (const std::int64_t position : {0, 1, 511, 1023})
    for (std::size_t channel = 0; channel < 4; ++channel)
      EXPECT_EQ(table.row(position)[channel],
                to_bits(static_cast<float>(position * 4) + static_cast<float>(channel)));
}

TEST(Learned, APositionWithoutARowIsAnErrorAndNeverAWrap) {
  EXPECT_EQ(refusal_at(1023), "");
  EXPECT_EQ(refusal_at(1024), "position is 1024; allowed: a number from 0 to max_position_embeddings - 1");
  EXPECT_EQ(refusal_at(-1), "position is -1; allowed: a number from 0 to max_position_embeddings - 1");
  for (const std::int64_t position :
       {std::int64_t{2048}, std::int64_t{1} << 32, std::numeric_limits<std::int64_t>::max(),
        std::numeric_limits<std::int64_t>::min()})
    EXPECT_NE(refusal_at(position), "");
}

TEST(Learned, ATokenAndItsRowAreAddedWithoutRounding) {
  const auto entries = weights();
  const learned_table<float> table(gpt_2_small, entries);
  const auto sum = table.added_to<2>(to_bits(0x1p-40f), 3, 1);
  EXPECT_TRUE(is_exact(sum));
  EXPECT_EQ(compare(sum, enclosure<2>::of(13) + enclosure<2>::of(0x1p-40)), order::equal);
  EXPECT_THROW(table.added_to<2>(0, 1024, 0), std::invalid_argument);
  EXPECT_THROW(table.added_to<2>(0, 0, 4), std::invalid_argument);
}

TEST(Learned, RefusesATableOfAnotherShape) {
  const auto entries = weights();
  EXPECT_THROW(learned_table<float>({.max_position_embeddings = 1023, .d_model = 4}, entries),
               std::invalid_argument);
  EXPECT_THROW(learned_table<float>({.max_position_embeddings = 0, .d_model = 4}, entries),
               std::invalid_argument);
  EXPECT_THROW(learned_table<float>({.max_position_embeddings = 1024, .d_model = 0}, entries),
               std::invalid_argument);
}

}  // namespace
}  // namespace ropewalk
