// T5's buckets at compile time and at run time, and a learned table added to scores.

#include "ropewalk/table/t5_bias_table.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <random>
#include <stdexcept>
#include <vector>

#include "ropewalk/reference/t5_bias.hpp"

namespace ropewalk {
namespace {

TEST(T5BiasTable, CompilerRunTimeAndWholeNumbersAgree) {
  constexpr auto encoder = t5_bucket_table<t5_bias{}, 150>;
  constexpr auto decoder = t5_bucket_table<t5_bias{.bidirectional = false}, 150>;
  EXPECT_EQ(std::vector<std::int32_t>(encoder.begin(), encoder.end()), t5_buckets({}, 150));
  EXPECT_EQ(std::vector<std::int32_t>(decoder.begin(), decoder.end()),
            t5_buckets({.bidirectional = false}, 150));
  for (std::int64_t relative = -150; relative <= 150; ++relative) {
    const auto i = static_cast<std::size_t>(relative + 150);
    EXPECT_EQ(encoder[i], reference::t5_bucket(relative, {}));
    EXPECT_EQ(decoder[i], reference::t5_bucket(relative, {.bidirectional = false}));
  }
}

TEST(T5BiasTable, NoDistanceAtAllHasTheFirstBucket) {
  EXPECT_EQ(t5_buckets({}, 0), std::vector<std::int32_t>{0});
  EXPECT_THROW(t5_buckets({}, -1), std::invalid_argument);
  EXPECT_THROW(t5_buckets({.buckets = 2}, 5), std::invalid_argument);
}

TEST(T5BiasTable, LookUpAddedToScoresIsOneIeeeAddition) {
  std::mt19937 random(3);
  const int heads = 2, queries = 5, keys = 150;
  std::vector<std::uint32_t> table(32 * heads), scores(heads * queries * keys);
  const auto draw = [&] { return to_bits(std::ldexp(static_cast<float>(random()) - 0x1p31F, -20)); };
  for (auto& x : table) x = draw();
  for (auto& x : scores) x = draw();
  std::vector<std::uint32_t> sum = scores;
  add_t5_bias<float>(t5_bias_view<std::uint32_t>({}, heads, table), queries, keys, sum);
  std::size_t i = 0;
  for (int head = 0; head < heads; ++head)
    for (int query = 145; query < keys; ++query)
      for (int key = 0; key < keys; ++key, ++i) {
        const int bucket = reference::t5_bucket(key - query, {});
        const float bias = from_bits<float>(table[static_cast<std::size_t>(bucket * heads + head)]);
        ASSERT_EQ(from_bits<float>(sum[i]), from_bits<float>(scores[i]) + bias) << head << query << key;
      }
}

TEST(T5BiasTable, SixteenBitScoresAreRoundedOnce) {
  const std::vector<std::uint16_t> table(32, 0x3c00);                    // 1
  std::vector<std::uint16_t> scores = {0x6800, 0x6801, 0x6802, 0xbc00};  // 2048, 2050, 2052, -1
  add_t5_bias<binary16>(t5_bias_view<std::uint16_t>({}, 1, table), 2, 2, scores);
  EXPECT_EQ(scores, (std::vector<std::uint16_t>{0x6800, 0x6802, 0x6802, 0}));  // ties to even
}

TEST(T5BiasTable, ScoresOfAnotherShapeAreRefused) {
  const std::vector<std::uint32_t> table(32);
  const t5_bias_view<std::uint32_t> bias({}, 1, table);
  std::vector<std::uint32_t> scores(12);
  EXPECT_NO_THROW(add_t5_bias<float>(bias, 3, 4, scores));
  EXPECT_THROW(add_t5_bias<float>(bias, 3, 5, scores), std::invalid_argument);
  EXPECT_THROW(add_t5_bias<float>(bias, 4, 3, scores), std::invalid_argument);
  EXPECT_THROW(add_t5_bias<float>(bias, 0, 4, scores), std::invalid_argument);
}

}  // namespace
}  // namespace ropewalk
