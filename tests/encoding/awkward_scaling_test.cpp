// Scaling rules in difficult configurations: factors at and below 1, quotients that are not binary64 numbers,
// frequencies on rounding midpoints, ends of every range, and random configurations. Every entry is correctly
// rounded in every format.

#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <string>
#include <vector>

#include "oracle/inv_freq_comparison.hpp"
#include "oracle/random_config.hpp"
#include "oracle/row_comparison.hpp"
#include "ropewalk/encoding/rope.hpp"

namespace ropewalk {
namespace {

using oracle::expect_correctly_rounded;

constexpr double factors[] = {0x1p-1074, 0.1, 0.999999, 1, 1.0000000000000002, 3, 4, 1e300};

TEST(AwkwardScaling, YarnWhoseEqualBetasAClampParts) {
  // The ramp ends are equal until one is clamped. In the first case they are slightly below 0, in the second
  // slightly above rotary_dim - 1, in the third within the range.
  const auto untruncated = [](double beta, int rotary_dim) {
    const yarn rule{.factor = 4,
                    .original_max_position_embeddings = 4096,
                    .beta_fast = beta,
                    .beta_slow = beta,
                    .truncate = false};
    return rope{.base = 10000, .rotary_dim = rotary_dim, .scaling = rule};
  };
  expect_correctly_rounded("yarn", untruncated(651.9638367690937, 128));
  expect_correctly_rounded("yarn", untruncated(0.0006503993216223588, 4));
  expect_correctly_rounded("yarn", untruncated(32, 128));
}

TEST(AwkwardScaling, DynamicAtEveryLength) {
  for (const double factor : factors)
    for (const double longest : {1.0, 0.3, 4096.0, 32768.0, 0x1p31 - 1, 0x1p-1074, 1e300})
      for (const std::int64_t seq_len : {0L, 1L, 2L, 4096L, 4097L, 32769L, 1000003L, 1L << 31})
        expect_correctly_rounded(
            "dynamic " + std::to_string(seq_len),
            {.base = 10000, .rotary_dim = 10, .scaling = dynamic{factor, longest}, .seq_len = seq_len});
}

TEST(AwkwardScaling, NtkWithTheFewestPairs) {
  for (const double factor : factors)
    for (const int rotary_dim : {4, 6, 8, 34})
      for (const double base : {1.0000000000000002, 65536.0, 10000.0, 0x1p1023})
        expect_correctly_rounded("ntk", {.base = base, .rotary_dim = rotary_dim, .scaling = ntk{factor}});
}

TEST(AwkwardScaling, NtkOfPerfectPowers) {
  // Each frequency is a power of two, and many lie on a boundary of some format.
  for (const int rotary_dim : {4, 6, 10, 34})
    for (int factor_bits = -16; factor_bits <= 32; factor_bits += 16)
      for (int base_bits = 1; base_bits <= 16; ++base_bits) {
        const double factor = std::ldexp(1.0, factor_bits);
        const double base = std::ldexp(1.0, base_bits * rotary_dim / 2);
        expect_correctly_rounded("ntk", {.base = base, .rotary_dim = rotary_dim, .scaling = ntk{factor}});
      }
}

/// Base for which pair 1 of rotary_dim 4 has the unscaled frequency 1 / (3 x 2^23). Rules that divide it by
/// 4/3 give 2^-25, a rounding midpoint of binary16.
constexpr double square_of_3_times_2_to_23 = 9 * 0x1p46;

TEST(AwkwardScaling, AThirdThatTheRuleTakesAwayLeavesATie) {
  const double four_thirds_lists[] = {1, 4};
  const auto frequency = [](const rope_scaling& scaling, std::int64_t seq_len = 0) {
    return rope{.base = square_of_3_times_2_to_23, .rotary_dim = 4, .scaling = scaling, .seq_len = seq_len};
  };
  expect_correctly_rounded("dynamic", frequency(dynamic{1, 3072}, 4096));
  const yarn all_divided{.original_max_position_embeddings = 3,
                         .max_position_embeddings = 4,
                         .beta_fast = 0x1p-60,
                         .beta_slow = 0x1p-60};
  expect_correctly_rounded("yarn", frequency(all_divided));
  expect_correctly_rounded("longrope", frequency(longrope{.short_factor = {four_thirds_lists, 2},
                                                          .long_factor = {four_thirds_lists, 2},
                                                          .original_max_position_embeddings = 3,
                                                          .max_position_embeddings = 4}));
}

TEST(AwkwardScaling, FactorOneOnATieIsStillATie) {
  // 2^-25 again, in rules that blend two equal frequencies with a share that contains pi or logarithms.
  const rope plain{.base = 0x1p50, .rotary_dim = 4};
  rope blended = plain;
  blended.scaling = llama3{1, 0x1p-20, 0x1p-10, 8192};
  expect_correctly_rounded("llama3", blended);
  EXPECT_EQ(oracle::tabulated(blended), oracle::tabulated(plain));
  blended.scaling = yarn{.factor = 1,
                         .original_max_position_embeddings = 8192,
                         .beta_fast = 0x1p+12,
                         .beta_slow = 0x1p-30,
                         .truncate = false};
  expect_correctly_rounded("yarn", blended);
  EXPECT_EQ(oracle::tabulated(blended), oracle::tabulated(plain));
}

TEST(AwkwardScaling, AnUntruncatedRampClampedAtBothEndsHasTies) {
  // Ramp 0 to 7, factor 512: pair 1 has 439/512 of 2^-4, a rounding midpoint of bfloat16.
  const yarn rule{.factor = 512,
                  .original_max_position_embeddings = 100,
                  .beta_fast = 32,
                  .beta_slow = 0x1p-40,
                  .truncate = false};
  expect_correctly_rounded("yarn", {.base = 65536, .rotary_dim = 8, .scaling = rule});
}

TEST(AwkwardScaling, YarnWhoseRampIsReversedByItsClamps) {
  for (const double length : {1.0, 0x1p+500}) {
    const yarn rule{.factor = 4, .original_max_position_embeddings = length};
    for (const bool truncate : {false, true}) {
      rope config{.base = 10000, .rotary_dim = 16, .scaling = rule};
      config.scaling.as<yarn>().truncate = truncate;
      expect_correctly_rounded("yarn", config);
    }
  }
}

TEST(AwkwardScaling, QuotientsOfLengthsThatAreNoBinary64) {
  const double list[] = {1, 1.1, 3, 1e300, 0x1p-1074, 0.1, 7, 1.5};
  for (const double original : {3.0, 4097.0, 0.7, 1e300}) {
    const double longest = original * 5 / 3;
    expect_correctly_rounded("yarn", {.base = 65536,
                                      .rotary_dim = 16,
                                      .scaling = yarn{.original_max_position_embeddings = original,
                                                      .max_position_embeddings = longest}});
    if (original <= 1) continue;
    for (const std::int64_t seq_len : {3L, 4L, 4097L, 4098L, 1L << 31})
      expect_correctly_rounded("longrope", {.base = 65536,
                                            .rotary_dim = 16,
                                            .scaling = longrope{.short_factor = list,
                                                                .long_factor = list,
                                                                .original_max_position_embeddings = original,
                                                                .max_position_embeddings = longest},
                                            .seq_len = seq_len});
  }
}

TEST(AwkwardScaling, ProportionalFromOneLivePairToAll) {
  for (const int live_pairs : {1, 2, 31, 32})
    for (const double factor : factors)
      expect_correctly_rounded(
          "proportional", {.base = 1000000, .rotary_dim = 64, .scaling = proportional{live_pairs, factor}});
}

TEST(AwkwardScaling, DeadPairsHaveFrequencyPlusZero) {
  const auto table = inv_freqs<double>({.base = 10000, .rotary_dim = 8, .scaling = proportional{1, 3}});
  EXPECT_EQ(table, (std::vector<std::uint64_t>{to_bits(1.0 / 3), 0, 0, 0}));
}

class RandomScaling : public testing::TestWithParam<rope_scaling> {};

TEST_P(RandomScaling, IsCorrectlyRounded) {
  oracle::random_configs draw(static_cast<std::uint64_t>(GetParam().index));
  for (int i = 0; i < 150; ++i) {
    const rope config = draw.of(GetParam());
    expect_correctly_rounded(std::string(name_of(GetParam())) + " " + std::to_string(i), config);
  }
}

TEST_P(RandomScaling, HasCorrectlyRoundedRows) {
  oracle::random_configs draw(300 + static_cast<std::uint64_t>(GetParam().index));
  for (int i = 0; i < 40; ++i) {
    const rope config = draw.of(GetParam());
    const oracle::rope_oracle oracle(config);
    const rope_rows rows(config);
    for (const std::int64_t position : {0L, 3L, 131071L, -2147483648L}) {
      const auto wrong = oracle::compare_with_mpfr(oracle, position, oracle::row_of(rows, position));
      EXPECT_EQ(wrong.total(), 0) << name_of(GetParam()) << " " << i << ": " << wrong;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(EveryRule, RandomScaling, testing::ValuesIn(oracle::every_rule()));

}  // namespace
}  // namespace ropewalk
