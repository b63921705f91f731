// Rounding errors beyond training: those of bounded waves are the same at any length, those of growing
// numbers grow.

#include "ropewalk/measure/rounding_growth.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <stdexcept>
#include <string_view>

namespace ropewalk::rounding_growth_test {
namespace {

constexpr rope config{.rotary_dim = 32};

std::map<std::string_view, rounding_growth> growth(const length_pair& lengths) {
  std::map<std::string_view, rounding_growth> growth;
  for (const rounding_growth& first : measure_rounding_growth(config, lengths, 16))
    growth.emplace(first.encoding, first);
  return growth;
}

TEST(RoundingGrowth, WavesAreRoundedByHalfAUnitAtAnyLength) {
  const auto by_name = growth({2048, 1 << 20});
  for (const char* name : {"rope", "sinusoidal", "normalised"}) {
    const rounding_growth& growth = by_name.at(name);
    EXPECT_LE(growth.binary32_at_trained, 0x1p-25) << name;
    EXPECT_LE(growth.binary32_at_target, 0x1p-25) << name;
    EXPECT_LE(growth.bfloat16_at_target, 0x1p-9) << name;
  }
  for (const char* name : {"rope", "sinusoidal"})
    EXPECT_GT(by_name.at(name).bfloat16_at_target, 0x1p-10) << name;
}

TEST(RoundingGrowth, NumbersThatGrowAreRoundedByMore) {
  const auto by_name = growth({2048, 1 << 20});
  const rounding_growth& integer = by_name.at("integer");
  EXPECT_EQ(integer.binary32_at_trained, 0);
  EXPECT_EQ(integer.binary32_at_target, 0);
  EXPECT_EQ(integer.bfloat16_at_trained, 4);  // 2044 is between 2040 and 2048
  EXPECT_EQ(integer.bfloat16_at_target, 16);  // window of 16: 2^20 - 16 goes to 2^20
  const rounding_growth& alibi = by_name.at("alibi");
  EXPECT_GT(alibi.bfloat16_at_target, alibi.bfloat16_at_trained);
  EXPECT_EQ(growth({1 << 25, 1 << 26}).at("integer").binary32_at_target, 2);
}

TEST(RoundingGrowth, KeysOfXposGrowWithTheSequence) {
  const rounding_growth xpos = growth({2048, 65536}).at("xpos");
  EXPECT_GT(xpos.binary32_at_trained, 0);
  EXPECT_GT(xpos.binary32_at_target, 0x1p100 * xpos.binary32_at_trained);  // (7/2)^(31744 / 512)
}

TEST(RoundingGrowth, WhatIsNotServedHasNoError) {
  const rounding_growth xpos = growth({2048, std::int64_t{1} << 31}).at("xpos");
  EXPECT_TRUE(std::isnan(xpos.binary32_at_target));
  EXPECT_FALSE(std::isnan(xpos.binary32_at_trained));
}

TEST(RoundingGrowth, RefusesNoWindow) {
  EXPECT_THROW(measure_rounding_growth(config, {4, 5}, 0), std::invalid_argument);
  EXPECT_THROW(measure_rounding_growth(config, {0, 5}, 1), std::invalid_argument);
}

}  // namespace
}  // namespace ropewalk::rounding_growth_test
