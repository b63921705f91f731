// Rows at run time against MPFR: no entry of four models is wrong at positions sampled from the whole signed
// 32-bit range.

#include "ropewalk/table/rope_rows.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <limits>
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

/// Finite doubles of every magnitude and both signs, drawn as random bits.
std::vector<double> drawn_doubles(std::uint64_t seed, int count) {
  std::mt19937_64 random(seed);
  std::vector<double> positions;
  while (static_cast<int>(positions.size()) < count)
    if (const std::uint64_t bits = random(); is_finite<double>(bits))
      positions.push_back(from_bits<double>(bits));
  return positions;
}

void expect_correct_at(const rope_rows& rows, const oracle::rope_oracle& oracle, double position) {
  for (int pair = 0; pair < rows.pairs(); ++pair) {
    const auto truth = oracle.at_real(position, pair);
    const auto in = [&]<floating_format Float>(Float) {
      const auto ours = rows.entry<Float>(pair, position, false);
      EXPECT_EQ(ours.cos, truth.cos.in<Float>()) << position << ", pair " << pair;
      EXPECT_EQ(ours.sin, truth.sin.in<Float>()) << position << ", pair " << pair;
    };
    in(double{}), in(float{}), in(binary16{}), in(bfloat16{});
  }
}

TEST(RopeRows, RealPositionsAreCorrectlyRounded) {
  std::vector<double> positions{
      0.0,   0.5,   -0.1,     1e-3,      1.5e9,  0x1p32 + 0.5, 1e22,
      1e300, -3e17, 0x1p-300, 0x1p-1022, 5e-324, -5e-324,      std::numeric_limits<double>::max()};
  for (const double position : drawn_doubles(2, 20)) positions.push_back(position);
  std::mt19937_64 random(3);
  for (int i = 0; i < 60; ++i)  // fractions of a token, as in a context stretched by interpolation
    positions.push_back(std::ldexp(static_cast<double>(random() >> 11), -36) - 65536);
  const rope configs[] = {oracle::llama_31,
                          oracle::qwen_yarn,
                          oracle::gpt_neox,
                          {.base = 10000, .rotary_dim = 8, .scaling = linear{1e-3}}};
  for (const rope& config : configs) {
    const rope_rows rows(config);
    const oracle::rope_oracle oracle(config, false, 3072);
    for (const double position : positions) expect_correct_at(rows, oracle, position);
  }
}

TEST(RopeRows, WholeRealPositionsGiveTheBitsOfIntegers) {
  const rope_rows rows(oracle::qwen_yarn);
  for (const std::int64_t position : sampled_positions(4))
    for (int pair = 0; pair < rows.pairs(); pair += 7) {
      const auto whole = rows.entry<float>(pair, position, false);
      const auto real = rows.entry<float>(pair, static_cast<double>(position), false);
      ASSERT_EQ(real.cos, whole.cos) << position;
      ASSERT_EQ(real.sin, whole.sin) << position;
    }
}

TEST(RopeRows, SineOfNegativeZeroIsPositiveZero) {
  const auto entry = rope_rows(oracle::llama_2).entry<double>(1, -0.0, false);
  EXPECT_EQ(entry.cos, to_bits(1.0));
  EXPECT_EQ(entry.sin, to_bits(0.0));
}

TEST(RopeRows, SineOfATinyTieGoesToZeroAndNotToEven) {
  const rope_rows rows(rope{.base = 10000, .rotary_dim = 4, .scaling = linear{8}});
  // The angle is k 2^-1074 / 8. It is a tie if k is 4 modulo 8, and the sine lies below it.
  for (std::uint64_t k = 1; k <= 64; ++k) {
    const double position = from_bits<double>(k);
    EXPECT_EQ(rows.entry<double>(0, position, false).sin, (k + 3) / 8) << k;
    EXPECT_EQ(rows.entry<double>(0, -position, false).sin, to_bits(-0.0) | (k + 3) / 8) << k;
  }
  // No number of limbs holds the reciprocal of 6. The angle k 2^-1074 / 6 is a tie if k is 3 modulo 6.
  const rope_rows sixths(rope{.base = 10000, .rotary_dim = 4, .scaling = linear{6}});
  for (std::uint64_t k = 1; k <= 64; ++k)
    EXPECT_EQ(sixths.entry<double>(0, from_bits<double>(k), false).sin, (k + 2) / 6) << k;
}

TEST(RopeRows, CosineOfATinyAngleGoesBelowAFactorThatIsATie) {
  const double tie = 1 + 0x3p-24;  // between 1 + 2^-23 and 1 + 2^-22, whose last bit is even
  const rope_rows rows(
      rope{.base = 10000,
           .rotary_dim = 4,
           .scaling = yarn{.factor = 2, .original_max_position_embeddings = 4096, .attention_factor = tie}});
  EXPECT_EQ(rows.entry<float>(0, 0.0, false).cos, to_bits(1 + 0x1p-22F));
  for (const double position : {0x1p-40, 0x1p-191, 0x1p-193, 0x1p-700, 5e-324})
    EXPECT_EQ(rows.entry<float>(0, position, false).cos, to_bits(1 + 0x1p-23F)) << position;
  // An integer position, and a frequency of 1e-231.
  const rope_rows slow(
      rope{.base = 0x1.fffffffffffffp+1023,
           .rotary_dim = 8,
           .scaling = yarn{.factor = 2, .original_max_position_embeddings = 4096, .attention_factor = tie}});
  EXPECT_EQ(slow.entry<float>(3, 0, false).cos, to_bits(1 + 0x1p-22F));
  EXPECT_EQ(slow.entry<float>(3, 12345, false).cos, to_bits(1 + 0x1p-23F));
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
