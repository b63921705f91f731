// Scaling rules against the reference: every pair of the published configurations is correctly rounded in
// every format.

#include "ropewalk/encoding/rope_scaling.hpp"

#include <gtest/gtest.h>

#include "oracle/inv_freq_comparison.hpp"
#include "oracle/models.hpp"
#include "ropewalk/encoding/rope.hpp"
#include "ropewalk/numeric/round.hpp"

namespace ropewalk {
namespace {

using oracle::expect_correctly_rounded;

TEST(RopeScaling, PublishedModelsAreCorrectlyRounded) {
  for (const oracle::model& model : oracle::models) expect_correctly_rounded(model.name, model.config);
}

TEST(RopeScaling, LinearIsCorrectlyRounded) {
  for (double factor : {4.0, 3.0, 0.1, 0x1p-1074, 1e300})
    expect_correctly_rounded("linear", {.base = 10000, .rotary_dim = 64, .scaling = linear{factor}});
}

TEST(RopeScaling, Llama3IsCorrectlyRounded) {
  for (double low : {0.3, 1.0, 3.999})
    expect_correctly_rounded("llama3",
                             {.base = 500000, .rotary_dim = 80, .scaling = llama3{7.3, low, 4, 8000}});
}

TEST(RopeScaling, YarnIsCorrectlyRounded) {
  for (bool truncate : {false, true})
    for (double factor : {0.5, 1.0, 2.5, 40.0})
      for (double length : {1.0, 512.0, 4096.0, 1e9}) {
        const yarn rule{.factor = factor, .original_max_position_embeddings = length, .truncate = truncate};
        expect_correctly_rounded("yarn", {.base = 10000, .rotary_dim = 64, .scaling = rule});
      }
}

TEST(RopeScaling, YarnWithMscaleIsCorrectlyRounded) {
  for (double mscale_all_dim : {0.0, 0.707, 1.0}) {
    const yarn rule{.factor = 40,
                    .original_max_position_embeddings = 4096,
                    .mscale = 0.707,
                    .mscale_all_dim = mscale_all_dim};
    expect_correctly_rounded("yarn", {.base = 10000, .rotary_dim = 64, .scaling = rule});
  }
}

TEST(RopeScaling, TiesOfRationalFrequenciesGoToEven) {
  // 2^-25 is the midpoint between 0 and binary16's smallest subnormal.
  expect_correctly_rounded("tie", {.base = 0x1p50, .rotary_dim = 4});
  // A ramp of width 7 and factor 512: pair 4 has 439/512 of 2^-4, nine bits, a rounding midpoint of bfloat16.
  const yarn rule{.factor = 512, .original_max_position_embeddings = 4096, .beta_fast = 64};
  expect_correctly_rounded("tie", {.base = 65536, .rotary_dim = 32, .scaling = rule});
}

TEST(RopeScaling, YarnRampWitnesses) {
  const auto qwen = yarn_ramp_of<4>(oracle::qwen_yarn, oracle::qwen_scaling);
  EXPECT_EQ(compare(qwen.low, enclosure<4>::of(23)), order::equal);
  EXPECT_EQ(compare(qwen.high, enclosure<4>::of(40)), order::equal);
  const yarn rule{.factor = 40, .original_max_position_embeddings = 4096};
  const auto deepseek = yarn_ramp_of<4>({.base = 10000, .rotary_dim = 64, .scaling = rule}, rule);
  EXPECT_EQ(compare(deepseek.low, enclosure<4>::of(10)), order::equal);
  EXPECT_EQ(compare(deepseek.high, enclosure<4>::of(23)), order::equal);
  const auto gpt_oss = yarn_ramp_of<4>(oracle::gpt_oss, oracle::gpt_oss_scaling);
  EXPECT_EQ(compare(gpt_oss.low, enclosure<4>::of(8.09275)), order::greater);
  EXPECT_EQ(compare(gpt_oss.low, enclosure<4>::of(8.09285)), order::less);
  EXPECT_EQ(compare(gpt_oss.high, enclosure<4>::of(17.39795)), order::greater);
  EXPECT_EQ(compare(gpt_oss.high, enclosure<4>::of(17.39805)), order::less);
}

TEST(RopeScaling, AttentionFactorWitnesses) {
  const auto rounded = [](const rope& config) {
    return from_bits<double>(round_with_enough_limbs<double>(
        "attention factor", [&]<int N>() { return rope_attention_factor<N>(config); }));
  };
  EXPECT_EQ(rounded(oracle::qwen_yarn), 1.138629436111989);
  EXPECT_EQ(rounded(oracle::gpt_oss), 1.3465735902799727);
  EXPECT_EQ(rounded(oracle::llama_31), 1);
  rope config = oracle::qwen_yarn;
  config.scaling.as<yarn>().attention_factor = 1.25;
  EXPECT_EQ(rounded(config), 1.25);
}

}  // namespace
}  // namespace ropewalk
