// Phases beyond training, for each scaling rule and each encoding: literal values, and where each rule fails.

#include "ropewalk/measure/phase_coverage.hpp"

#include <gtest/gtest.h>

#include <map>
#include <stdexcept>
#include <string>
#include <string_view>

#include "ropewalk/measure/beyond_training.hpp"
#include "ropewalk/measure/context_extension.hpp"
#include "ropewalk/measure/error_growth.hpp"

namespace ropewalk::phase_coverage_test {
namespace {

constexpr rope llama_2{.rotary_dim = 128};
constexpr length_pair eightfold{4096, 32768};

/// Liu et al. 2023 (arXiv:2310.05209): of Llama 2's 128 channels the first 92 complete a period within 4096
/// positions.
TEST(PhaseCoverage, CriticalDimensionOfLlama2Is92) {
  const auto pairs = phase_coverage(llama_2, eightfold);
  for (int pair = 0; pair < 64; ++pair) {
    EXPECT_EQ(pairs[static_cast<std::size_t>(pair)].trained == 1, pair < 46) << pair;
    EXPECT_EQ(pairs[static_cast<std::size_t>(pair)].unseen > 0, pair >= 46) << pair;
  }
  EXPECT_EQ(summarise(pairs).unseen_pairs, 18);
}

TEST(PhaseCoverage, OfAPairThatNeverClosesItsCircleTheShareIsThatOfTheLengths) {
  const auto pairs = phase_coverage(llama_2, eightfold);
  EXPECT_EQ(pairs[63].unseen, 0.875);  // wavelength 54,410
  EXPECT_LT(pairs[63].met, 1);
  EXPECT_LT(pairs[46].unseen, 0.875);  // closes its circle soon after 4096
  EXPECT_EQ(pairs[46].met, 1);
  EXPECT_EQ(1 - pairs[46].unseen, pairs[46].trained);
}

TEST(PhaseCoverage, NothingIsUnseenUpToTheTrainedLength) {
  for (const std::int64_t target : {std::int64_t{1}, std::int64_t{4096}})
    EXPECT_EQ(summarise(phase_coverage(llama_2, {4096, target})).unseen_pairs, 0);
  EXPECT_EQ(summarise(phase_coverage(llama_2, {4096, 4097})).unseen_pairs, 18);
}

TEST(PhaseCoverage, PairsThatStandStillMeetOnePhase) {
  const auto pairs =
      phase_coverage(rope{.rotary_dim = 8, .scaling = proportional{.live_pairs = 2}}, {4, 400});
  EXPECT_GT(pairs[1].unseen, 0);
  for (const std::size_t still : {2u, 3u}) {
    EXPECT_EQ(pairs[still].met, 0);
    EXPECT_EQ(pairs[still].unseen, 0);
  }
}

TEST(PhaseCoverage, WavesOfASinusoidAreThoseOfARopeOfItsWidth) {
  const auto waves = phase_coverage(sinusoidal{.d_model = 128}, eightfold);
  const auto pairs = phase_coverage(llama_2, eightfold);
  for (std::size_t pair = 0; pair < 64; ++pair) EXPECT_EQ(waves[pair].unseen, pairs[pair].unseen);
}

TEST(PhaseCoverage, RefusesLengthsThatAreNone) {
  EXPECT_THROW(phase_coverage(llama_2, {0, 5}), std::invalid_argument);
  EXPECT_THROW(phase_coverage(llama_2, {5, (std::int64_t{1} << 31) + 1}), std::invalid_argument);
  EXPECT_THROW(phase_coverage(rope{.rotary_dim = 3}, {5, 6}), std::invalid_argument);
}

std::map<std::string_view, extension_measurement> by_rule(const rope& config, const length_pair& lengths) {
  std::map<std::string_view, extension_measurement> by_name;
  for (const auto& extension : measure_extensions(config, lengths))
    by_name.emplace(extension.rule, extension);
  return by_name;
}

TEST(ContextExtension, RulesPayForWhatTheyCover) {
  const auto rules = by_rule(llama_2, eightfold);
  ASSERT_EQ(rules.size(), 6u);
  EXPECT_EQ(rules.at("none").summary.unseen_pairs, 18);
  EXPECT_EQ(rules.at("none").summary.least_step, 1);
  EXPECT_EQ(rules.at("linear").summary.unseen_pairs, 0);
  EXPECT_EQ(rules.at("linear").summary.least_step, 0.125);
  EXPECT_EQ(rules.at("yarn").summary.unseen_pairs, 0);
  EXPECT_GT(rules.at("yarn").summary.least_step, 0.125);
  EXPECT_EQ(rules.at("llama3").summary.unseen_pairs, 0);
  EXPECT_GT(rules.at("llama3").summary.least_step, 0.125);
  EXPECT_EQ(rules.at("longrope").summary.unseen_pairs, 0);
  EXPECT_EQ(rules.at("longrope").summary.least_step, 1);
  EXPECT_GT(rules.at("yarn").attention_factor, 1);
  EXPECT_GT(rules.at("longrope").attention_factor, 1);
  EXPECT_EQ(rules.at("linear").attention_factor, 1);
}

/// NTK divides only the slowest pair by the whole factor: every other pair that had not closed its circle
/// meets new phases.
TEST(ContextExtension, NtkLeavesPhasesUnseen) {
  const auto rules = by_rule(llama_2, eightfold);
  const extension_measurement& ntk = rules.at("ntk");
  EXPECT_EQ(ntk.summary.unseen_pairs, 17);
  EXPECT_EQ(ntk.pairs[63].unseen, 0);
  EXPECT_GT(ntk.pairs[62].unseen, 0);
  EXPECT_LT(ntk.summary.mean_unseen, rules.at("none").summary.mean_unseen);
  EXPECT_EQ(ntk.pairs[0].step, 1);
  EXPECT_EQ(ntk.pairs[63].step, 0.125);
}

/// A weaker rule is measured as weaker: with half of the factor some phases stay unseen.
TEST(ContextExtension, HalfOfTheFactorIsNotEnough) {
  rope half = llama_2;
  half.scaling = linear{.factor = 4};
  EXPECT_EQ(summarise(phase_coverage(half, eightfold)).unseen_pairs, 18);
  EXPECT_EQ(phase_coverage(half, eightfold)[63].unseen, 0.5);
}

/// 11 / 3 is no binary64, and the nearest one is below it.
TEST(ContextExtension, FactorsThatAreRoundedLeaveNothingUnseen) {
  for (const std::int64_t trained : {3000, 4095, 7000})
    for (const auto& [rule, extension] : by_rule(llama_2, {trained, 100003}))
      EXPECT_EQ(extension.summary.unseen_pairs > 0, rule == "none" || rule == "ntk")
          << rule << ' ' << trained;
  rope nearest = llama_2;
  nearest.scaling = linear{.factor = 11.0 / 3};
  EXPECT_GT(summarise(phase_coverage(nearest, {3000, 11000})).unseen_pairs, 0);
}

TEST(ContextExtension, ARuleThatCannotBeHadSaysWhy) {
  const auto rules = by_rule({.rotary_dim = 2}, eightfold);
  EXPECT_EQ(rules.at("ntk").refusal,
            "rotary_dim is 2; allowed: a number above 2: the rule's exponent divides by rotary_dim - 2");
  EXPECT_EQ(rules.at("linear").refusal, "");
  EXPECT_THROW(measure_extensions(llama_2, {4096, 4095}), std::invalid_argument);
}

std::map<std::string_view, beyond_training> by_encoding(const length_pair& lengths) {
  std::map<std::string_view, beyond_training> by_name;
  for (const auto& length : measure_beyond_training(llama_2, lengths))
    by_name.emplace(length.encoding, length);
  return by_name;
}

TEST(BeyondTraining, OnlyTablesEndWithTheirTraining) {
  const auto encodings = by_encoding(eightfold);
  ASSERT_EQ(encodings.size(), 11u);
  for (const auto& [name, encoding] : encodings)
    EXPECT_EQ(encoding.serves, name != "learned" && name != "binary") << name << encoding.refusal;
  EXPECT_EQ(encodings.at("learned").refusal,
            "position is 32767; allowed: a number from 0 to max_position_embeddings - 1");
  EXPECT_EQ(encodings.at("binary").refusal, "position is 32767; allowed: a number from 0 to 2^width - 1");
  for (const auto& [name, encoding] : by_encoding({4096, 4096})) {
    EXPECT_TRUE(encoding.serves) << name;
    EXPECT_EQ(encoding.unseen, 0) << name;
  }
}

TEST(BeyondTraining, SharesAreThoseOfTheLengthsOrOfTheCircles) {
  const auto encodings = by_encoding(eightfold);
  for (const char* name : {"learned", "integer", "binary", "alibi"})
    EXPECT_EQ(encodings.at(name).unseen, 0.875) << name;
  EXPECT_EQ(encodings.at("t5").unseen, 0);  // from distance 113 on every key shares the last bucket
  EXPECT_EQ(by_encoding({100, 200}).at("t5").unseen, 1.0 / 32);
  EXPECT_EQ(encodings.at("rope").unseen, encodings.at("sinusoidal").unseen);
  EXPECT_GT(encodings.at("rope").unseen, 0);
  // 0, 2/8, 4/8, 6/8 and 1 are codes of 5 positions, too.
  EXPECT_EQ(by_encoding({5, 9}).at("normalised").unseen, 4.0 / 9);
}

TEST(BeyondTraining, AlibiGivesHardlyAnyAttentionToFartherKeys) {
  const alibi eight{.heads = 8};
  EXPECT_EQ(alibi_attention_beyond(0, eight, eightfold), 0);       // e^-2048, below the smallest binary64
  EXPECT_GT(alibi_attention_beyond(7, eight, eightfold), 1.1e-7);  // e^-16 = 1.125e-7
  EXPECT_LT(alibi_attention_beyond(7, eight, eightfold), 1.2e-7);
  EXPECT_EQ(alibi_attention_beyond(7, eight, {4096, 4096}), 0);
  EXPECT_THROW(alibi_attention_beyond(8, eight, eightfold), std::invalid_argument);
}

TEST(ErrorGrowth, CorrectlyRoundedCosinesDoNotGetWorseAndThoseOfABinary32AngleDo) {
  constexpr double half_a_unit = 0x1p-25;
  const cosine_error near = largest_cosine_error(llama_2, 2048, 16),
                     far = largest_cosine_error(llama_2, 131072, 16);
  for (const cosine_error& at : {near, far}) {
    EXPECT_LE(at.table, half_a_unit);
    EXPECT_GT(at.table, half_a_unit / 2);
    EXPECT_GT(at.angle_f32, 100 * half_a_unit);
  }
  EXPECT_GT(far.angle_f32, 16 * near.angle_f32);
}

TEST(ErrorGrowth, RefusesALengthOfNone) {
  EXPECT_THROW(largest_cosine_error(llama_2, 0, 1), std::invalid_argument);
  EXPECT_THROW(largest_cosine_error(llama_2, 5, 0), std::invalid_argument);
}

}  // namespace
}  // namespace ropewalk::phase_coverage_test
