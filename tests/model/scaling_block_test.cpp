// A rope_scaling or rope_parameters block: rules, precedence of L, a factor formed from lengths, refusals.

#include "model/scaling_block.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <string>

#include "input/bad_input.hpp"

namespace ropewalk::model::scaling_block_test {
namespace {

struct outcome {
  rope_scaling scaling;
  provenance sources;
};

outcome read(const std::string& block, const lengths& known = {}) {
  outcome result;
  result.scaling = read_scaling(input::json::parse(block), "rope_scaling.", known, result.sources);
  return result;
}

std::string refusal(const std::string& block, const lengths& known = {}) {
  try {
    read(block, known);
  } catch (const std::invalid_argument& error) {
    return error.what();
  }
  return "accepted";
}

bool warns(const outcome& result, const std::string& a, const std::string& b) {
  return std::any_of(result.sources.warnings.begin(), result.sources.warnings.end(),
                     [&](const std::string& line) {
                       return line.find(a) != std::string::npos && line.find(b) != std::string::npos;
                     });
}

constexpr const char* yarn_without_length = R"({"rope_type": "yarn", "factor": 4})";
constexpr const char* yarn_without_factor =
    R"({"rope_type": "yarn", "original_max_position_embeddings": 4096})";

TEST(ScalingBlock, NullAndEmptyAreNoRule) {
  EXPECT_TRUE(read("null").scaling.is<unscaled>());
  EXPECT_TRUE(read("{}").scaling.is<unscaled>());
}

TEST(ScalingBlock, BaseAloneIsTheDefaultRule) {
  EXPECT_TRUE(read(R"({"rope_theta": 10000})").scaling.is<unscaled>());
}

TEST(ScalingBlock, OlderTypeNamesTheRuleToo) {
  EXPECT_TRUE(read(R"({"type": "linear", "factor": 2})").scaling.is<linear>());
}

TEST(ScalingBlock, RopeTypeWinsOverTypeAndAWarningNamesBoth) {
  const auto result = read(R"({"rope_type": "linear", "type": "yarn", "factor": 2})");
  EXPECT_TRUE(result.scaling.is<linear>());
  EXPECT_TRUE(warns(result, "rope_type is linear", "type is yarn"));
}

TEST(ScalingBlock, Llama3TakesItsFourNumbers) {
  const auto rule = read(R"({"rope_type": "llama3", "factor": 8, "low_freq_factor": 1, "high_freq_factor": 4,
      "original_max_position_embeddings": 8192})")
                        .scaling.as<llama3>();
  EXPECT_EQ(rule.factor, 8);
  EXPECT_EQ(rule.low_freq_factor, 1);
  EXPECT_EQ(rule.high_freq_factor, 4);
  EXPECT_EQ(rule.original_max_position_embeddings, 8192);
}

TEST(ScalingBlock, YarnDefaults) {
  const auto rule = read(yarn_without_length, {.max_position_embeddings = 32768}).scaling.as<yarn>();
  EXPECT_EQ(rule.beta_fast, 32);
  EXPECT_EQ(rule.beta_slow, 1);
  EXPECT_TRUE(rule.truncate);
  EXPECT_FALSE(rule.mscale.is_given);
  EXPECT_FALSE(rule.attention_factor.is_given);
}

TEST(ScalingBlock, YarnTakesEveryNumberThatIsGiven) {
  const auto rule = read(R"({"rope_type": "yarn", "factor": 40, "original_max_position_embeddings": 4096,
      "beta_fast": 16, "beta_slow": 2, "truncate": false, "mscale": 1, "mscale_all_dim": 0.5,
      "attention_factor": 1.25})")
                        .scaling.as<yarn>();
  EXPECT_EQ(rule.beta_fast, 16);
  EXPECT_EQ(rule.beta_slow, 2);
  EXPECT_FALSE(rule.truncate);
  EXPECT_EQ(rule.mscale, given<double>(1));
  EXPECT_EQ(rule.mscale_all_dim, given<double>(0.5));
  EXPECT_EQ(rule.attention_factor, given<double>(1.25));
}

TEST(ScalingBlock, TopLevelLengthWinsOverTheBlocksAndAWarningNamesBoth) {
  const auto result = read(R"({"rope_type": "yarn", "factor": 4, "original_max_position_embeddings": 4096})",
                           {.max_position_embeddings = 32768, .original_max_position_embeddings = 8192});
  EXPECT_EQ(result.scaling.as<yarn>().original_max_position_embeddings, 8192);
  EXPECT_TRUE(warns(result, "is 8192", "is 4096"));
}

TEST(ScalingBlock, LengthFallsBackToMaxPositionEmbeddings) {
  EXPECT_EQ(read(yarn_without_length, {.max_position_embeddings = 32768})
                .scaling.as<yarn>()
                .original_max_position_embeddings,
            32768);
  EXPECT_EQ(refusal(yarn_without_length).substr(0, 53),
            "rope_scaling.original_max_position_embeddings is miss");
}

TEST(ScalingBlock, MissingFactorOfYarnIsFormedFromTheLengths) {
  const yarn rule = read(yarn_without_factor, {.max_position_embeddings = 10240}).scaling.as<yarn>();
  EXPECT_FALSE(rule.factor.is_given);
  EXPECT_EQ(scale_of(rule).numerator / scale_of(rule).denominator, 2.5);
}

TEST(ScalingBlock, MissingFactorThatCannotBeFormedIsRefused) {
  EXPECT_TRUE(refusal(yarn_without_factor).starts_with("rope_scaling.factor is missing; allowed: "));
  EXPECT_TRUE(refusal(R"({"rope_type": "yarn"})", {.max_position_embeddings = 4096})
                  .starts_with("rope_scaling.factor is missing; allowed: "));
  EXPECT_TRUE(refusal(R"({"rope_type": "linear"})", {.max_position_embeddings = 4096})
                  .starts_with("rope_scaling.factor is missing; allowed: "));
}

TEST(ScalingBlock, FormedFactorStaysTheExactQuotient) {
  const yarn rule =
      read(R"({"rope_type": "yarn", "original_max_position_embeddings": 3})", {.max_position_embeddings = 10})
          .scaling.as<yarn>();
  EXPECT_EQ(scale_of(rule).numerator, 10);
  EXPECT_EQ(scale_of(rule).denominator, 3);
}

TEST(ScalingBlock, GivenFactorWinsOverTheFormedOneAndAWarningNamesBoth) {
  const auto result = read(R"({"rope_type": "yarn", "factor": 8, "original_max_position_embeddings": 4096})",
                           {.max_position_embeddings = 16384});
  EXPECT_EQ(result.scaling.as<yarn>().factor, given<double>(8));
  EXPECT_TRUE(warns(result, "factor is 8", "L is 4"));
}

constexpr const char* two_pairs = R"("short_factor": [1, 1.5], "long_factor": [2, 4])";

std::string longrope_with(const std::string& keys) {
  return std::string(R"({"type": "longrope", )") + two_pairs + (keys.empty() ? "" : ", " + keys) + "}";
}

TEST(ScalingBlock, LongropeTakesItsListsAndFormsItsFactor) {
  const longrope rule =
      read(longrope_with(""),
           {.max_position_embeddings = 131072, .original_max_position_embeddings = 4096, .pairs = 2})
          .scaling.as<longrope>();
  EXPECT_EQ(rule.short_factor[1], 1.5);
  EXPECT_EQ(rule.long_factor[1], 4);
  EXPECT_EQ(rule.original_max_position_embeddings, 4096);
  EXPECT_EQ(scale_of(rule).numerator / scale_of(rule).denominator, 32);
}

TEST(ScalingBlock, SuIsLongropeAndMropeIsDefault) {
  EXPECT_TRUE(
      read(
          R"({"type": "su", "short_factor": [1], "long_factor": [2], "original_max_position_embeddings": 8})",
          {.max_position_embeddings = 16})
          .scaling.is<longrope>());
  const auto result = read(R"({"type": "mrope", "mrope_section": [16, 24, 24]})");
  EXPECT_TRUE(result.scaling.is<unscaled>());
  EXPECT_EQ(result.sources.warnings, std::vector<std::string>{});
}

TEST(ScalingBlock, PhiMoeMscalesStandInPlaceOfTheAttentionFactor) {
  const longrope rule =
      read(longrope_with(
               R"("short_mscale": 1.25, "long_mscale": 1.5, "original_max_position_embeddings": 4096)"))
          .scaling.as<longrope>();
  EXPECT_EQ(rule.short_mscale, given<double>(1.25));
  EXPECT_EQ(rule.long_mscale, given<double>(1.5));
}

TEST(ScalingBlock, DynamicGrowsFromMaxPositionEmbeddings) {
  const auto rule =
      read(R"({"type": "dynamic", "factor": 2})", {.max_position_embeddings = 4096}).scaling.as<dynamic>();
  EXPECT_EQ(rule.factor, 2);
  EXPECT_EQ(rule.max_position_embeddings, 4096);
}

TEST(ScalingBlock, LengthAboveMaxPositionEmbeddingsIsRefused) {
  for (const char* rule : {"yarn", "llama3"}) {
    const std::string block = std::string(R"({"rope_type": ")") + rule +
                              R"(", "factor": 8, "low_freq_factor": 1, "high_freq_factor": 4,
                                 "original_max_position_embeddings": 8193})";
    EXPECT_EQ(refusal(block, {.max_position_embeddings = 8192}),
              "rope_scaling.original_max_position_embeddings is 8193; allowed: a number not above "
              "max_position_embeddings 8192");
  }
}

TEST(ScalingBlock, FactorBesideALengthThatWasNotRaisedIsNoConflict) {
  EXPECT_EQ(read(R"({"type": "yarn", "factor": 4, "original_max_position_embeddings": 32768})",
                 {.max_position_embeddings = 32768})
                .sources.warnings,
            std::vector<std::string>{});
}

TEST(ScalingBlock, MscalesBesideAnAttentionFactorAreWarnedOf) {
  EXPECT_TRUE(warns(read(longrope_with(R"("short_mscale": 1.25, "long_mscale": 1.5, "attention_factor": 1.75,
      "original_max_position_embeddings": 4096)")),
                    "attention_factor is 1.75", "short_mscale is 1.25"));
}

struct refused_rule {
  const char* block;
  const char* message;
};

constexpr refused_rule refused_rules[] = {
    {R"({"type": "longrope", "short_factor": [1, 2], "long_factor": [1]})",
     "rope_scaling.long_factor is 1 numbers; allowed: 2, one for each of rotary_dim / 2 pairs"},
    {R"({"type": "longrope", "short_factor": [1, 0], "long_factor": [1, 2]})",
     "rope_scaling.short_factor[1] is 0; allowed: a finite number above 0"},
    {R"({"type": "longrope", "short_factor": [1, "2"], "long_factor": [1, 2]})",
     "rope_scaling.short_factor[1] is \"2\"; allowed: a finite number above 0"},
    {R"({"type": "longrope", "long_factor": [1, 2]})",
     "rope_scaling.short_factor is missing; allowed: a list of rotary_dim / 2 numbers"},
    {R"({"type": "longrope", "short_factor": [1, 2], "long_factor": [1, 2], "short_mscale": 1.5})",
     "rope_scaling.long_mscale is missing; allowed: a finite number above 0, because the other mscale is "
     "given"},
    {R"({"type": "dynamic", "factor": 2, "alpha": 1000})",
     "rope_scaling.alpha is 1000; allowed: none: rule dynamic uses factor and seq_len only"},
    {R"({"type": "dynamic"})", "rope_scaling.factor is missing; allowed: a finite number above 0"},
    {R"({"type": "ntk", "factor": -2})", "rope_scaling.factor is -2; allowed: a finite number above 0"},
    {R"({"rope_type": "llama3", "factor": 8, "low_freq_factor": 5, "high_freq_factor": 4})",
     "rope_scaling.low_freq_factor is 5; allowed: a number not above high_freq_factor"},
    {R"({"rope_type": "yarn", "factor": 4, "beta_fast": 1, "beta_slow": 32})",
     "rope_scaling.beta_fast is 1; allowed: a number not below beta_slow"},
    {R"({"rope_type": "proportional", "partial_rotary_factor": 0.25, "factor": 0})",
     "rope_scaling.factor is 0; allowed: a finite number above 0"},
};

TEST(ScalingBlock, RefusalNamesFieldAndValue) {
  for (const refused_rule& rule : refused_rules)
    EXPECT_EQ(refusal(rule.block, {.max_position_embeddings = 8192, .head_dim = 4, .pairs = 2}), rule.message)
        << rule.block;
}

TEST(ScalingBlock, DynamicNeedsMaxPositionEmbeddings) {
  EXPECT_EQ(refusal(R"({"type": "dynamic", "factor": 2})"),
            "max_position_embeddings is missing; allowed: a whole number: rule dynamic changes the base "
            "above this length");
}

TEST(ScalingBlock, NumberThatTheRuleDoesNotUseIsWarnedOf) {
  EXPECT_TRUE(warns(read(R"({"rope_type": "linear", "factor": 2, "beta_fast": 32})"), "beta_fast",
                    "does not use it"));
}

TEST(ScalingBlock, KeyThatNoRuleHasIsRefused) {
  const char* const block = R"({"rope_type": "linear", "factor": 2, "attn_factor": 2})";
  EXPECT_EQ(refusal(block),
            "rope_scaling.attn_factor is 2; allowed: keys that a scaling rule has: factor, beta_fast, "
            "attention_factor and others");
  EXPECT_TRUE(warns(read(R"({"rope_type": "linear", "factor": 2, "attn_factor": 1})"), "attn_factor is 1",
                    "nothing"));
  const std::map<std::string, std::string> ignored{{"attn_factor", "of another program"}};
  EXPECT_TRUE(warns(read(block, {.ignored = &ignored}), "rope_scaling.attn_factor is 2",
                    "left out by --ignore-key, \"of another program\""));
}

TEST(ScalingBlock, UnknownRulesAreRefusedByName) {
  for (const std::string name : {"xdrope", "Yarn", ""}) {
    const std::string text = refusal(R"({"rope_type": ")" + name + R"(", "factor": 2})");
    const std::string shown = name.empty() ? "missing" : name;
    EXPECT_EQ(text, "rope_scaling.rope_type is " + shown +
                        "; allowed: default (mrope), linear, dynamic, ntk, llama3, yarn, longrope (su), "
                        "proportional");
  }
}

struct refused_block {
  const char* block;
  const char* start;
};

constexpr refused_block refused_blocks[] = {
    {R"({"rope_type": "linear", "factor": 0})", "rope_scaling.factor is 0; allowed: "},
    {R"({"rope_type": "linear", "factor": -2})", "rope_scaling.factor is -2; allowed: "},
    {R"({"rope_type": "linear", "factor": "2"})", "rope_scaling.factor is \"2\"; allowed: "},
    {R"({"rope_type": "linear", "factor": true})", "rope_scaling.factor is true; allowed: "},
    {R"({"rope_type": 3})", "rope_scaling.rope_type is 3; allowed: "},
    {R"({"factor": 2})", "rope_scaling.rope_type is missing; allowed: "},
    {R"([2])", "rope_scaling is [2]; allowed: "},
    {R"("yarn")", "rope_scaling is \"yarn\"; allowed: "},
    {R"({"rope_type": "llama3", "factor": 8, "low_freq_factor": 5, "high_freq_factor": 4,
         "original_max_position_embeddings": 8192})",
     "rope_scaling.low_freq_factor is 5; allowed: "},
    {R"({"rope_type": "llama3", "factor": 8, "high_freq_factor": 4,
         "original_max_position_embeddings": 8192})",
     "rope_scaling.low_freq_factor is missing; allowed: "},
    {R"({"rope_type": "yarn", "factor": 4, "original_max_position_embeddings": 0})",
     "rope_scaling.original_max_position_embeddings is 0; allowed: "},
    {R"({"rope_type": "yarn", "factor": 4, "original_max_position_embeddings": 4096.5})",
     "rope_scaling.original_max_position_embeddings is 4096.5; allowed: "},
    {R"({"rope_type": "yarn", "factor": 4, "original_max_position_embeddings": 4096, "truncate": 1})",
     "rope_scaling.truncate is 1; allowed: true or false"},
    {R"({"rope_type": "yarn", "factor": 4, "original_max_position_embeddings": 4096, "attention_factor": 0})",
     "rope_scaling.attention_factor is 0; allowed: "},
    {R"({"rope_type": "yarn", "factor": 4, "original_max_position_embeddings": 4096, "beta_slow": 64})",
     "rope_scaling.beta_fast is 32; allowed: "},
};

TEST(ScalingBlock, EveryRefusalNamesFieldValueAndWhatIsAllowed) {
  for (const auto& refused : refused_blocks)
    EXPECT_TRUE(refusal(refused.block).starts_with(refused.start)) << refused.block << "\n"
                                                                   << refusal(refused.block);
}

}  // namespace
}  // namespace ropewalk::model::scaling_block_test
