// T5's buckets against integers of arbitrary size, in 10,000 settings at every distance; published values.

#include "ropewalk/encoding/t5_bias.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cstdint>
#include <random>
#include <stdexcept>
#include <string>
#include <vector>

#include "ropewalk/reference/t5_bias.hpp"

namespace ropewalk {
namespace {

/// Number of wrong buckets of keys behind the query, over the distances 0 .. max_distance + 2.
int wrong_buckets(const t5_bias& config) {
  const std::vector<int> truth = reference::t5_buckets_behind(config, config.max_distance + 2);
  int wrong = 0;
  for (std::size_t distance = 0; distance < truth.size(); ++distance)
    wrong += t5_bucket(-static_cast<std::int64_t>(distance), config) != truth[distance];
  return wrong;
}

TEST(T5Bias, TenThousandSettingsAgreeWithWholeNumbersAtEveryDistance) {
  int settings = 0;
  for (int buckets = 2; buckets <= 41; ++buckets)
    for (int more = 1; more <= 250; ++more, ++settings) {
      const t5_bias config{.buckets = buckets, .max_distance = buckets / 2 + more, .bidirectional = false};
      ASSERT_EQ(wrong_buckets(config), 0) << buckets << " buckets, max_distance " << config.max_distance;
    }
  EXPECT_EQ(settings, 10000);
}

TEST(T5Bias, LargeSettingsAgreeWithWholeNumbers) {
  std::mt19937 random(7);
  for (const t5_bias& config :
       {t5_bias{.buckets = 320, .max_distance = 800}, t5_bias{.buckets = 1024, .max_distance = 2147483647},
        t5_bias{.buckets = 1024, .max_distance = 2147483646, .bidirectional = false},
        t5_bias{.buckets = 64, .max_distance = 65536}, t5_bias{.buckets = 33, .max_distance = 1000}}) {
    for (int i = 0; i < 40; ++i) {
      const auto wide = static_cast<std::int64_t>(random() >> (random() % 32));
      for (const std::int64_t relative : {wide, -wide})
        EXPECT_EQ(t5_bucket(relative, config), reference::t5_bucket(relative, config))
            << config.buckets << ", " << config.max_distance << " at " << relative;
    }
  }
}

TEST(T5Bias, BothDirectionsAgreeWithWholeNumbers) {
  for (const int buckets : {4, 5, 9, 32, 33, 64})
    for (const int max_distance : {40, 128, 150})
      for (const bool bidirectional : {true, false})
        for (std::int64_t relative = -160; relative <= 160; ++relative) {
          const t5_bias config{buckets, max_distance, bidirectional};
          ASSERT_EQ(t5_bucket(relative, config), reference::t5_bucket(relative, config))
              << buckets << ", " << max_distance << " at " << relative;
        }
}

TEST(T5Bias, GrowingBucketsOfTheDefaultsBeginAtEightTimesPowersOfTheRootOfTwo) {
  // The first distance of each bucket: the bucket's index up to 8, then 8 x 2^((bucket - 8) / 2) rounded up.
  const std::array<int, 16> encoder = {0, 1, 2, 3, 4, 5, 6, 7, 8, 12, 16, 23, 32, 46, 64, 91};
  for (std::size_t bucket = 1; bucket < encoder.size(); ++bucket) {
    EXPECT_EQ(t5_bucket(-encoder[bucket], {}), static_cast<int>(bucket));
    EXPECT_EQ(t5_bucket(1 - encoder[bucket], {}), static_cast<int>(bucket) - 1);
    EXPECT_EQ(t5_bucket(encoder[bucket], {}), static_cast<int>(bucket) + 16);
  }
}

TEST(T5Bias, TheFirstPositionsPastTheContextHaveTheLastBucket) {
  for (const std::int64_t far : {128LL, 129LL, (1LL << 24) + 1, (1LL << 31) - 1, 1LL << 40}) {
    EXPECT_EQ(t5_bucket(-far, {}), 15) << far;
    EXPECT_EQ(t5_bucket(far, {}), 31) << far;
  }
}

TEST(T5Bias, AnOddNumberOfBucketsLeavesOneOver) {
  for (std::int64_t relative = -200; relative <= 200; ++relative)
    EXPECT_EQ(t5_bucket(relative, {.buckets = 33}), t5_bucket(relative, {.buckets = 32}));
}

TEST(T5Bias, WhatIsNoConfigurationIsRefused) {
  EXPECT_THROW(t5_bucket(0, {.buckets = 3}), std::invalid_argument);
  EXPECT_THROW(t5_bucket(0, {.buckets = 1, .bidirectional = false}), std::invalid_argument);
  EXPECT_THROW(t5_bucket(0, {.buckets = -32}), std::invalid_argument);
  EXPECT_THROW(t5_bucket(0, {.buckets = 1025, .max_distance = 4096}), std::invalid_argument);
  EXPECT_THROW(t5_bucket(0, {.buckets = 32, .max_distance = 8}), std::invalid_argument);
  EXPECT_NO_THROW(t5_bucket(0, {.buckets = 32, .max_distance = 9}));
  EXPECT_THROW(reference::t5_bucket(0, {.buckets = 32, .max_distance = 8}), std::invalid_argument);
  EXPECT_THROW(reaches_t5_step(129, 0, {}), std::invalid_argument);
  EXPECT_THROW(reaches_t5_step(16, 9, {}), std::invalid_argument);
  try {
    t5_bucket(0, {.buckets = 3});
  } catch (const std::invalid_argument& refusal) {
    EXPECT_STREQ(refusal.what(), "buckets is 3; allowed: a number from 4 to 1024");
  }
}

TEST(T5BiasView, ReadsTheRowOfTheBucket) {
  std::vector<int> table(32 * 3);
  for (std::size_t i = 0; i < table.size(); ++i) table[i] = static_cast<int>(i);
  const t5_bias_view<int> bias({}, 3, table);
  EXPECT_EQ(bias.at(0, 5, 5), 0);
  EXPECT_EQ(bias.at(2, 105, 94), 8 * 3 + 2);  // 11 behind
  EXPECT_EQ(bias.at(1, 0, 1), 17 * 3 + 1);    // 1 ahead
  EXPECT_EQ(bias.at(1, 0, 1000000), 31 * 3 + 1);
}

TEST(T5BiasView, NeverReadsARowThatItDoesNotHave) {
  const std::vector<float> table(32 * 3);
  EXPECT_THROW(t5_bias_view<float>({}, 4, table), std::invalid_argument);
  EXPECT_THROW(t5_bias_view<float>({}, 0, table), std::invalid_argument);
  EXPECT_THROW(t5_bias_view<float>({.buckets = 31}, 3, table), std::invalid_argument);
  const t5_bias_view<float> bias({}, 3, table);
  EXPECT_THROW(bias.at(3, 0, 0), std::invalid_argument);
  EXPECT_THROW(bias.at(-1, 0, 0), std::invalid_argument);
  EXPECT_THROW(bias.of_bucket(0, 32), std::invalid_argument);
  EXPECT_THROW(bias.of_bucket(0, -1), std::invalid_argument);
}

}  // namespace
}  // namespace ropewalk
