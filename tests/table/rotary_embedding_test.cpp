// The call for a whole sequence has the rows of single positions, and refuses lengths that are none.

#include "ropewalk/table/rotary_embedding.hpp"

#include <gtest/gtest.h>

#include <stdexcept>
#include <string>

#include "oracle/models.hpp"
#include "ropewalk/table/rope_axes_rows.hpp"

namespace ropewalk {
namespace {

TEST(RotaryEmbedding, HasTheRowsOfSinglePositionsWithTheirFactor) {
  const rope_rows rows(oracle::qwen_yarn);  // whose attention factor is not 1
  const cos_sin_rows whole = rotary_embedding(3, oracle::qwen_yarn);
  ASSERT_EQ(whole.cos.size(), 3u * static_cast<std::size_t>(rows.pairs()));
  ASSERT_EQ(whole.sin.size(), whole.cos.size());
  for (std::size_t i = 0; i < whole.cos.size(); ++i) {
    const auto pair = static_cast<int>(i) % rows.pairs(), position = static_cast<int>(i) / rows.pairs();
    const auto entry = rows.entry<float>(pair, position, false);
    ASSERT_EQ(to_bits(whole.cos[i]), entry.cos) << i;
    ASSERT_EQ(to_bits(whole.sin[i]), entry.sin) << i;
  }
}

TEST(RotaryEmbedding, RefusesLengthsThatAreNone) {
  const rope config{.base = 10000, .rotary_dim = 4};
  for (const std::int64_t length : {std::int64_t{0}, std::int64_t{-5}, largest_position + 2}) {
    try {
      rotary_embedding(length, config);
      ADD_FAILURE() << length;
    } catch (const std::invalid_argument& refused) {
      EXPECT_TRUE(std::string(refused.what()).starts_with("seq_len is ")) << refused.what();
    }
  }
}

TEST(RopeAxesRows, EveryPairTurnsByThePositionOnItsAxis) {
  const rope config{.base = 10000, .rotary_dim = 16};
  const rope_axes axes = mrope(2, 3, 3);
  const rope_rows rows(config);
  const auto row = rope_axes_rows(axes, config).row<float>({5, 70, 900});
  ASSERT_EQ(row.size(), 8u);
  for (int pair = 0; pair < 8; ++pair) {
    const auto entry = rows.entry<float>(pair, pair < 2 ? 5 : (pair < 5 ? 70 : 900), false);
    EXPECT_EQ(row[static_cast<std::size_t>(pair)].cos, entry.cos) << pair;
    EXPECT_EQ(row[static_cast<std::size_t>(pair)].sin, entry.sin) << pair;
  }
  EXPECT_THROW(rope_axes_rows(axes, config).row<float>({5, 70}), std::invalid_argument);
}

}  // namespace
}  // namespace ropewalk
