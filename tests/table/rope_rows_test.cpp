// Rows at run time against MPFR: positions of four models sampled over the whole signed 32-bit range, none
// wrong.

#include "ropewalk/table/rope_rows.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <random>
#include <stdexcept>
#include <vector>

#include "oracle/models.hpp"
#include "oracle/row_comparison.hpp"

namespace ropewalk {
namespace {

const rope four_models[] = {oracle::llama_2, oracle::llama_31, oracle::qwen_yarn, oracle::gpt_neox};

std::vector<std::int64_t> sampled_positions(std::uint64_t seed) {
  std::mt19937_64 random(seed);
  std::vector<std::int64_t> positions{0, 131071, smallest_position, largest_position};
  for (int k = 0; k <= 30; ++k)
    for (std::int64_t nudge : {-1, 0, 1}) {
      positions.push_back((std::int64_t{1} << k) + nudge);
      positions.push_back(-(std::int64_t{1} << k) + nudge);
    }
  for (int i = 0; i < 150; ++i) positions.push_back(static_cast<std::int64_t>(random() % 131072));
  for (int i = 0; i < 150; ++i)
    positions.push_back(static_cast<std::int64_t>(random() % (std::uint64_t{1} << 32)) + smallest_position);
  return positions;
}

TEST(RopeRows, SampledPositionsAreCorrectlyRounded) {
  oracle::wrong_entries wrong;
  for (const rope& config : four_models) {
    const rope_rows rows(config);
    const oracle::rope_oracle oracle(config);
    for (std::int64_t position : sampled_positions(1))
      wrong += oracle::compare_with_mpfr(oracle, position, oracle::row_of(rows, position));
  }
  EXPECT_EQ(wrong.total(), 0) << wrong;
  EXPECT_GT(wrong.entries, 100000);
}

TEST(RopeRows, WalkedRowsAreCorrectlyRounded) {
  oracle::wrong_entries wrong;
  const position_range ranges[] = {
      {0, 300}, {-280, 20}, {130900, 131072}, {largest_position - 40, largest_position + 1}};
  for (const rope& config : four_models) {
    const rope_rows rows(config);
    const oracle::rope_oracle oracle(config);
    for (const position_range& range : ranges)
      wrong += oracle::compare_with_mpfr(oracle, range.begin, oracle::walked(rows, range));
  }
  EXPECT_EQ(wrong.total(), 0) << wrong;
}

TEST(RopeRows, UnitRowsLeaveTheAttentionFactorOut) {
  const rope_rows rows(oracle::qwen_yarn);
  const oracle::rope_oracle unit(oracle::qwen_yarn, true);
  for (std::int64_t position : {0, 1, -77, 131071}) {
    EXPECT_EQ(oracle::compare_with_mpfr(unit, position, oracle::row_of(rows, position, true)).total(), 0);
    EXPECT_EQ(oracle::compare_with_mpfr(unit, position, oracle::walked(rows, {position, position + 3}, true))
                  .total(),
              0);
    EXPECT_NE(oracle::compare_with_mpfr(unit, position, oracle::row_of(rows, position)).total(), 0);
  }
}

TEST(RopeRows, WalkingGivesTheSameBitsWhereverItBegins) {
  const rope_rows rows(oracle::llama_31);
  const auto whole = oracle::walked(rows, {-600, 600});
  for (std::int64_t begin : {-599, -256, -1, 0, 1, 255}) {
    const auto part = oracle::walked(rows, {begin, 600});
    const auto offset = static_cast<std::size_t>(begin + 600) * 64;
    for (std::size_t i = 0; i < part.binary32.cos.size(); i += 17) {
      ASSERT_EQ(part.binary32.cos[i], whole.binary32.cos[i + offset]);
      ASSERT_EQ(part.binary64.sin[i], whole.binary64.sin[i + offset]);
    }
  }
}

TEST(RopeRows, ExtremeConfigurationsAreCorrectlyRounded) {
  const rope extremes[] = {
      {.base = 10000, .rotary_dim = 8, .scaling = linear{0x1p-200}},
      {.base = 10000, .rotary_dim = 8, .scaling = linear{1e-3}},
      {.base = 1 + 0x1p-52, .rotary_dim = 8},
      {.base = 0x1.fffffffffffffp+1023, .rotary_dim = 8},
      {.base = 10000,
       .rotary_dim = 8,
       .scaling = yarn{.factor = 4, .original_max_position_embeddings = 4096, .attention_factor = 0x1p-140}}};
  for (const rope& config : extremes) {
    const rope_rows rows(config);
    const oracle::rope_oracle oracle(config, false, 2048);
    for (std::int64_t position : {0L, 1L, -2L, 131071L, largest_position, smallest_position}) {
      const auto wrong = oracle::compare_with_mpfr(oracle, position, oracle::row_of(rows, position));
      EXPECT_EQ(wrong.total(), 0) << config.base << ": " << wrong;
      const auto walked = oracle::walked(rows, {position, position + 1});
      EXPECT_EQ(oracle::compare_with_mpfr(oracle, position, walked).total(), 0) << config.base;
    }
  }
}

TEST(RopeRows, EnclosuresHoldTheTableEntries) {
  const rope_rows rows(oracle::qwen_yarn);
  const auto point = rows.exact<6>(9, -12345, false);
  const oracle::rope_oracle oracle(oracle::qwen_yarn);
  EXPECT_EQ(round<double>(point.cos).bits, oracle.at(-12345L, 9).cos.in<double>());
  EXPECT_EQ(round<double>(point.sin).bits, oracle.at(-12345L, 9).sin.in<double>());
  EXPECT_EQ(rows.pairs(), 64);
}

TEST(RopeRows, RefusesAConfigurationThatIsNone) {
  EXPECT_THROW(rope_rows(rope{.base = 10000, .rotary_dim = 0}), std::invalid_argument);
}

}  // namespace
}  // namespace ropewalk
