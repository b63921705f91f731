// Divisors that scaling rules apply to frequencies: exact where the rule states the divisor, and everywhere
// against MPFR.

#include "ropewalk/table/frequency_divisors.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <stdexcept>
#include <string>
#include <vector>

#include "oracle/models.hpp"
#include "oracle/rope_oracle.hpp"
#include "ropewalk/reference/frequency_divisor.hpp"

namespace ropewalk {
namespace {

/// One divisor by MPFR; ties are decided, too.
oracle::four_roundings divisor_in_all_formats(int pair, const rope& config) {
  const auto bracket_at = [&](mpfr_prec_t bits) {
    if (const auto exact = reference::rope_exact_frequency_divisor(pair, config))
      return oracle::detail::bracket_of(*exact, bits);
    return oracle::detail::last_place_bracket(oracle::detail::in_precision(
        bits, [&] { return reference::rope_frequency_divisor<oracle::detail::boost_number>(pair, config); }));
  };
  return oracle::rounded_to_all(bracket_at, 256);
}

/// Compares all divisors of one configuration with MPFR's, in every format.
void expect_correct(const char* name, const rope& config) {
  const auto binary64 = frequency_divisors<double>(config);
  const auto binary32 = frequency_divisors<float>(config);
  const auto half = frequency_divisors<binary16>(config);
  const auto brain = frequency_divisors<bfloat16>(config);
  ASSERT_EQ(binary64.size(), static_cast<std::size_t>(pair_count(config)));
  for (int pair = 0; pair < pair_count(config); ++pair) {
    const auto at = static_cast<std::size_t>(pair);
    if (reference::stands_still(pair, config)) {
      EXPECT_EQ(binary64[at], format<double>::infinity) << name << ", pair " << pair;
      continue;
    }
    const oracle::four_roundings ours{binary64[at], binary32[at], half[at], brain[at]};
    EXPECT_EQ(ours, divisor_in_all_formats(pair, config)) << name << ", pair " << pair;
  }
}

TEST(FrequencyDivisors, OfEveryModelAreCorrectlyRounded) {
  for (const oracle::model& model : oracle::models) expect_correct(model.name, model.config);
}

constexpr double rising[] = {1, 1.0009765625, 1.5, 2.5, 3, 10, 64.1, 100};
constexpr double falling[] = {64, 32, 16, 0x1.002p+0, 7.25, 3, 1.0000000000000002, 1};

TEST(FrequencyDivisors, OfEveryRuleAreCorrectlyRounded) {
  const longrope lists{.short_factor = rising,
                       .long_factor = falling,
                       .original_max_position_embeddings = 4096,
                       .max_position_embeddings = 131072};
  const rope configs[] = {
      {.base = 10000, .rotary_dim = 16},
      {.base = 10000, .rotary_dim = 16, .scaling = linear{2049}},
      {.base = 10000, .rotary_dim = 16, .scaling = linear{0.1}},
      {.base = 10000, .rotary_dim = 16, .scaling = dynamic{2, 2048}, .seq_len = 2048},
      {.base = 10000, .rotary_dim = 16, .scaling = dynamic{2, 2048}, .seq_len = 2049},
      {.base = 10000, .rotary_dim = 16, .scaling = dynamic{3, 2048}, .seq_len = 4096},
      {.base = 10000, .rotary_dim = 16, .scaling = dynamic{1.7, 2000}, .seq_len = 9999},
      {.base = 10000, .rotary_dim = 16, .scaling = ntk{2}},
      {.base = 10000, .rotary_dim = 16, .scaling = ntk{128}},
      {.base = 10000, .rotary_dim = 16, .scaling = ntk{0.3}},
      {.base = 10000,
       .rotary_dim = 64,
       .scaling = llama3{.factor = 2049,
                         .low_freq_factor = 1,
                         .high_freq_factor = 4,
                         .original_max_position_embeddings = 512}},
      {.base = 10000,
       .rotary_dim = 64,
       .scaling = llama3{.factor = 1,
                         .low_freq_factor = 1,
                         .high_freq_factor = 4,
                         .original_max_position_embeddings = 512}},
      {.base = 10000,
       .rotary_dim = 64,
       .scaling = yarn{.factor = 2049, .original_max_position_embeddings = 512}},
      {.base = 10000,
       .rotary_dim = 64,
       .scaling = yarn{.original_max_position_embeddings = 3000, .max_position_embeddings = 4097}},
      {.base = 10000,
       .rotary_dim = 64,
       .scaling = yarn{.factor = 1, .original_max_position_embeddings = 512, .truncate = false}},
      {.base = 10000, .rotary_dim = 16, .scaling = lists, .seq_len = 4096},
      {.base = 10000, .rotary_dim = 16, .scaling = lists, .seq_len = 4097},
      {.base = 1000000, .rotary_dim = 16, .scaling = proportional{.live_pairs = 2, .factor = 8}}};
  for (const rope& config : configs) expect_correct(std::string(name_of(config.scaling)).c_str(), config);
}

TEST(FrequencyDivisors, OfLlama3KeepDivideAndBlend) {
  const auto divisors = frequency_divisors<float>(oracle::llama_31);
  EXPECT_EQ(divisors.front(), to_bits(1.0F));
  EXPECT_EQ(divisors.back(), to_bits(8.0F));
  bool is_blended = false;
  for (std::size_t pair = 1; pair < divisors.size(); ++pair) {
    EXPECT_GE(divisors[pair], divisors[pair - 1]) << pair;
    is_blended = is_blended || (divisors[pair] != to_bits(1.0F) && divisors[pair] != to_bits(8.0F));
  }
  EXPECT_TRUE(is_blended);
}

TEST(FrequencyDivisors, AFactorThatIsATieRoundsToEven) {
  // In binary16, 2049 is the midpoint of 2048 and 2050, and 2051 that of 2050 and 2052.
  const llama3 rule{
      .factor = 2049, .low_freq_factor = 1, .high_freq_factor = 4, .original_max_position_embeddings = 512};
  EXPECT_EQ(frequency_divisors<binary16>({.base = 10000, .rotary_dim = 64, .scaling = rule}).back(), 0x6800);
  const yarn other{.factor = 2051, .original_max_position_embeddings = 512};
  EXPECT_EQ(frequency_divisors<binary16>({.base = 10000, .rotary_dim = 64, .scaling = other}).back(), 0x6802);
}

TEST(FrequencyDivisors, DivideTheUnscaledFrequencyIntoTheScaledOne) {
  for (const oracle::model& model : oracle::models) {
    const rope plain{.base = model.config.base, .rotary_dim = model.config.rotary_dim};
    for (int pair = 0; pair < pair_count(plain); ++pair) {
      if (reference::stands_still(pair, model.config)) continue;
      const auto product =
          rope_frequency_divisor<4>(pair, model.config) * rope_inv_freq<4>(pair, model.config);
      const auto unscaled = rope_inv_freq<4>(pair, plain);
      const order relation = compare(product, unscaled);
      EXPECT_TRUE(relation == order::equal || relation == order::undecided)
          << model.name << ", pair " << pair;
      EXPECT_FALSE(is_unbounded(product)) << model.name << ", pair " << pair;
    }
  }
}

TEST(FrequencyDivisors, OfAPairThatStandsStillAreInfinite) {
  const rope config{.base = 1000000, .rotary_dim = 8, .scaling = proportional{.live_pairs = 1}};
  const auto inf = format<float>::infinity;
  EXPECT_EQ(frequency_divisors<float>(config), (std::vector<std::uint32_t>{to_bits(1.0F), inf, inf, inf}));
  EXPECT_THROW(reference::rope_frequency_divisor<oracle::detail::boost_number>(1, config),
               std::invalid_argument);
}

TEST(FrequencyDivisors, RefuseAConfigurationThatIsNone) {
  EXPECT_THROW(frequency_divisors<float>({.base = 10000, .rotary_dim = 7}), std::invalid_argument);
}

}  // namespace
}  // namespace ropewalk
