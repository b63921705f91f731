// Scaling rules where they are awkward: factors at and below 1, quotients that are no binary64, dyadic frequencies that
// lie on ties, ends of every range; and configurations at random. Four formats, none wrong.

#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <random>
#include <string>
#include <vector>

#include "oracle/inv_freq_comparison.hpp"
#include "ropewalk/encoding/rope.hpp"

namespace ropewalk {
namespace {

using oracle::expect_correctly_rounded;

constexpr double factors[] = {0x1p-1074, 0.1, 0.999999, 1, 1.0000000000000002, 3, 4, 1e300};

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

/// A pair whose unscaled frequency is 1 / (3 x 2^23) and whose rule multiplies it by 3/4: 2^-25 is a tie of binary16.
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
  // 2^-25 again, now where a rule blends by a number with pi in it: a blend of equals.
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
  // Ramp 0 to 7, factor 512: pair 1 is 439/512 of 2^-4, a tie of bfloat16.
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
      config.scaling.as_yarn.truncate = truncate;
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

class random_configs {
 public:
  explicit random_configs(std::uint64_t seed) : engine_(seed) {}

  rope of(scaling_rule rule) {
    const int pairs = 2 + static_cast<int>(below(15));
    rope r{.base = base(pairs), .rotary_dim = 2 * pairs};
    const double original = length(), longest = original * (1 + size(-60, 5));
    r.seq_len = below(2) != 0 ? static_cast<std::int64_t>(below(std::uint64_t{1} << 31) >> below(31))
                              : static_cast<std::int64_t>(std::min(original, 0x1p30)) + below(3) - 1;
    r.seq_len = std::max<std::int64_t>(r.seq_len, 0);
    r.scaling = scaling(rule, pairs, original, longest);
    return r;
  }

 private:
  std::int64_t below(std::uint64_t limit) { return static_cast<std::int64_t>(engine_() % limit); }

  /// A power of two, a whole number, or any binary64 between 2^low and 2^high.
  double size(int low, int high) {
    const int exponent = low + static_cast<int>(below(static_cast<std::uint64_t>(high - low)));
    const double fraction = 1 + static_cast<double>(engine_() >> 12) * 0x1p-52;
    if (below(3) == 0) return std::ldexp(1.0, exponent);
    if (below(2) == 0 && high > 0) return std::max(1.0, std::floor(std::ldexp(fraction, exponent)));
    return std::ldexp(fraction, exponent);
  }

  double length() { return size(1, 24); }
  double factor() { return below(4) == 0 ? 1 : size(-8, 8); }

  /// Often a perfect power, so that frequencies are rational.
  double base(int pairs) {
    const double any = size(4, 24);
    if (below(2) != 0) return any;
    const double root = 2 + static_cast<double>(below(8));
    const double power = std::pow(root, pairs);  // rounded or not, it is a base
    return power <= largest_number ? power : any;
  }

  rope_scaling scaling(scaling_rule rule, int pairs, double original, double longest) {
    switch (rule) {
      case scaling_rule::none: break;
      case scaling_rule::linear: return linear{factor()};
      case scaling_rule::dynamic: return dynamic{factor(), original};
      case scaling_rule::ntk: return ntk{factor()};
      case scaling_rule::llama3: {
        const double low = size(-4, 4);
        return llama3{factor(), low, low * (1 + size(-50, 4)), original};
      }
      case scaling_rule::yarn: return any_yarn(original, longest);
      case scaling_rule::longrope: return any_longrope(pairs, original, longest);
      case scaling_rule::proportional:
        return proportional{1 + static_cast<int>(below(static_cast<std::uint64_t>(pairs))), factor()};
    }
    return {};
  }

  yarn any_yarn(double original, double longest) {
    yarn rule{.original_max_position_embeddings = original, .max_position_embeddings = longest};
    if (below(2) != 0) rule.factor = factor();
    rule.truncate = below(2) != 0;
    rule.beta_slow = size(-8, 6);
    rule.beta_fast = below(8) == 0 ? rule.beta_slow : rule.beta_slow + size(-20, 8);
    if (below(2) != 0) rule.mscale = below(4) == 0 ? 0 : size(-3, 2);
    if (below(2) != 0) rule.mscale_all_dim = below(4) == 0 ? 0 : size(-3, 2);
    if (below(4) == 0) rule.attention_factor = size(-3, 3);
    return rule;
  }

  longrope any_longrope(int pairs, double original, double longest) {
    longrope rule{.original_max_position_embeddings = std::max(original, 2.0), .max_position_embeddings = 0};
    rule.max_position_embeddings = std::max(longest, rule.original_max_position_embeddings);
    for (double& divisor : short_) divisor = size(-4, 8);
    for (double& divisor : long_) divisor = size(-4, 8);
    rule.short_factor = {short_, pairs};
    rule.long_factor = {long_, pairs};
    if (below(2) != 0) rule.factor = factor();
    if (below(4) == 0) rule.attention_factor = size(-3, 3);
    if (below(4) == 0) rule.short_mscale = size(-3, 3), rule.long_mscale = size(-3, 3);
    return rule;
  }

  std::mt19937_64 engine_;
  double short_[16] = {};
  double long_[16] = {};
};

class RandomScaling : public testing::TestWithParam<scaling_rule> {};

TEST_P(RandomScaling, IsCorrectlyRounded) {
  random_configs draw(static_cast<std::uint64_t>(GetParam()));
  for (int i = 0; i < 150; ++i) {
    const rope config = draw.of(GetParam());
    expect_correctly_rounded(name_of(GetParam()) + std::string(" ") + std::to_string(i), config);
  }
}

INSTANTIATE_TEST_SUITE_P(EveryRule, RandomScaling,
                         testing::Values(scaling_rule::none, scaling_rule::linear, scaling_rule::dynamic,
                                         scaling_rule::ntk, scaling_rule::llama3, scaling_rule::yarn,
                                         scaling_rule::longrope, scaling_rule::proportional));

}  // namespace
}  // namespace ropewalk
