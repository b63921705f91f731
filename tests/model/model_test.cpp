// Models from config.json: what is taken from which key, and which one wins. Numbers were worked out by hand.

#include "model/model.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "model/bad_input.hpp"

namespace ropewalk::model {
namespace {

struct expected_model {
  const char* name;
  double base;
  int head_dim;
  int rotary_dim;
  pairing layout;
  scaling_rule rule;
  double factor;
  double original_length;
  std::int64_t max_position_embeddings;
};

// GPT-J: 4096 / 16 = 256 channels a head, 64 rotate. GPT-NeoX: 6144 / 64 = 96, a quarter of it is 24.
constexpr expected_model expected_models[] = {
    {"gemma-2-9b", 10000, 256, 256, pairing::half_split, scaling_rule::none, 1, 0, 8192},
    {"gpt-j-6b", 10000, 256, 64, pairing::interleaved, scaling_rule::none, 1, 0, 2048},
    {"gpt-neox-20b", 10000, 96, 24, pairing::half_split, scaling_rule::none, 1, 0, 2048},
    {"gpt-oss-20b", 150000, 64, 64, pairing::half_split, scaling_rule::yarn, 32, 4096, 131072},
    {"llama-2-7b", 10000, 128, 128, pairing::half_split, scaling_rule::none, 1, 0, 4096},
    {"llama-3-8b", 500000, 128, 128, pairing::half_split, scaling_rule::none, 1, 0, 8192},
    {"llama-3.1-8b", 500000, 128, 128, pairing::half_split, scaling_rule::llama3, 8, 8192, 131072},
    {"llama-3.2-1b", 500000, 64, 64, pairing::half_split, scaling_rule::llama3, 32, 8192, 131072},
    {"mistral-7b-v0.1", 10000, 128, 128, pairing::half_split, scaling_rule::none, 1, 0, 4096},
    {"qwen2.5-7b", 1000000, 128, 128, pairing::half_split, scaling_rule::none, 1, 0, 131072},
    {"qwen2.5-7b-yarn4", 1000000, 128, 128, pairing::half_split, scaling_rule::yarn, 4, 32768, 131072},
    {"qwen3-0.6b", 1000000, 128, 128, pairing::half_split, scaling_rule::none, 1, 0, 40960},
};

TEST(Catalogue, HoldsTheseModelsAndNoOther) {
  std::vector<std::string> names;
  for (const auto& expected : expected_models) names.emplace_back(expected.name);
  EXPECT_EQ(catalogue_names(), names);
}

TEST(Catalogue, EveryModelHasTheNumbersOfItsConfiguration) {
  for (const auto& expected : expected_models) {
    SCOPED_TRACE(expected.name);
    const model found = catalogue_model(expected.name);
    EXPECT_EQ(found.encoding.base, expected.base);
    EXPECT_EQ(found.layout.head_dim, expected.head_dim);
    EXPECT_EQ(found.encoding.rotary_dim, expected.rotary_dim);
    EXPECT_EQ(found.layout.pairing_in, expected.layout);
    EXPECT_EQ(found.layout.pairing_out, expected.layout);
    EXPECT_EQ(found.encoding.scaling.rule, expected.rule);
    EXPECT_EQ(factor_of(found.encoding.scaling), expected.factor);
    EXPECT_EQ(original_length_of(found.encoding.scaling), expected.original_length);
    EXPECT_EQ(found.max_position_embeddings, expected.max_position_embeddings);
    EXPECT_FALSE(found.source.empty());
    EXPECT_EQ(found.warnings, std::vector<std::string>{});
  }
}

TEST(Catalogue, GptOssDoesNotTruncateItsRamp) {
  EXPECT_FALSE(catalogue_model("gpt-oss-20b").encoding.scaling.as_yarn.truncate);
  EXPECT_TRUE(catalogue_model("qwen2.5-7b-yarn4").encoding.scaling.as_yarn.truncate);
}

TEST(Catalogue, UnknownNameIsRefusedWithTheKnownOnes) {
  try {
    catalogue_model("llama-9");
    FAIL() << "accepted";
  } catch (const bad_input& error) {
    const std::string what = error.what();
    EXPECT_TRUE(what.starts_with("model is llama-9; allowed: ")) << what;
    EXPECT_NE(what.find("llama-3.1-8b"), std::string::npos);
  }
}

/// A Llama configuration with something added to it.
std::string llama(const std::string& keys) {
  return R"({"model_type": "llama", "head_dim": 128, "rope_theta": 500000)" +
         (keys.empty() ? "" : ", " + keys) + "}";
}

model parse(const std::string& text, given<pairing> layout = {}) {
  return parse_model(text, "config.json", layout);
}

bool mentions(const std::vector<std::string>& lines, const std::string& a, const std::string& b) {
  return std::any_of(lines.begin(), lines.end(), [&](const std::string& line) {
    return line.find(a) != std::string::npos && line.find(b) != std::string::npos;
  });
}

TEST(Model, HeadDimGivenWinsOverTheQuotient) {
  EXPECT_EQ(parse(llama(R"("hidden_size": 1024, "num_attention_heads": 16)")).layout.head_dim, 128);
}

TEST(Model, HeadDimIsTheQuotientWhereNoneIsGiven) {
  const auto found =
      parse(R"({"model_type": "llama", "hidden_size": 4096, "num_attention_heads": 32, "head_dim": null})");
  EXPECT_EQ(found.layout.head_dim, 128);
  EXPECT_EQ(found.encoding.rotary_dim, 128);
}

TEST(Model, RotaryDimIsTheFloorOfTheRoundedProduct) {
  // The double 0.3 is below 3/10: the exact product with 80 is below 24, the rounded one is 24.
  EXPECT_EQ(
      parse(R"({"model_type": "llama", "head_dim": 80, "partial_rotary_factor": 0.3})").encoding.rotary_dim,
      24);
  EXPECT_EQ(
      parse(R"({"model_type": "llama", "head_dim": 96, "partial_rotary_factor": 0.75})").encoding.rotary_dim,
      72);
}

TEST(Model, TopLevelPartialRotaryFactorWinsOverTheBlocks) {
  const auto found = parse(llama(
      R"("partial_rotary_factor": 0.5,
         "rope_parameters": {"rope_type": "default", "partial_rotary_factor": 0.25})"));
  EXPECT_EQ(found.encoding.rotary_dim, 64);
  EXPECT_TRUE(mentions(found.warnings, "partial_rotary_factor is 0.5", "is 0.25"));
}

TEST(Model, BlockGivesWhatTheTopLevelLeavesOut) {
  const auto found = parse(R"({"model_type": "llama", "head_dim": 128, "rope_parameters":
      {"rope_type": "default", "partial_rotary_factor": 0.25, "rope_theta": 12345.5}})");
  EXPECT_EQ(found.encoding.rotary_dim, 32);
  EXPECT_EQ(found.encoding.base, 12345.5);
  EXPECT_EQ(found.warnings, std::vector<std::string>{});
}

TEST(Model, TopLevelBaseWinsOverTheBlocksAndAWarningNamesBoth) {
  const auto found = parse(llama(R"("rope_parameters": {"rope_type": "default", "rope_theta": 10000})"));
  EXPECT_EQ(found.encoding.base, 500000);
  EXPECT_TRUE(mentions(found.warnings, "rope_theta is 500000", "rope_parameters.rope_theta is 10000"));
}

TEST(Model, MissingBaseIsTenThousandOnlyWhereTheModelTypeDefaultsToIt) {
  for (const char* type : {"llama", "mistral", "qwen2", "qwen3", "gemma2"}) {
    const auto found = parse(std::string(R"({"model_type": ")") + type + R"(", "head_dim": 64})");
    EXPECT_EQ(found.encoding.base, 10000) << type;
    EXPECT_TRUE(mentions(found.notes, "base 10000", "defaults to it")) << type;
  }
  EXPECT_THROW(parse(R"({"model_type": "gpt_oss", "head_dim": 64})"), bad_input);
}

TEST(Model, GptNeoxReadsItsOwnKeys) {
  const auto found = parse(R"({"model_type": "gpt_neox", "hidden_size": 2048, "num_attention_heads": 8,
      "rotary_pct": 0.25, "rotary_emb_base": 20000, "max_position_embeddings": 2048})");
  EXPECT_EQ(found.encoding.base, 20000);
  EXPECT_EQ(found.encoding.rotary_dim, 64);
}

TEST(Model, TextConfigIsReadInPlaceOfTheTopLevel) {
  const auto found = parse(R"({"model_type": "llava", "rope_theta": 10000, "text_config":
      {"model_type": "llama", "head_dim": 64, "rope_theta": 500000}})");
  EXPECT_EQ(found.model_type, "llama");
  EXPECT_EQ(found.encoding.base, 500000);
  EXPECT_TRUE(mentions(found.warnings, "rope_theta is 10000", "text_config.rope_theta is 500000"));
}

TEST(Model, UnknownTypeNeedsAPairingAndNothingIsDefaulted) {
  const std::string text = R"({"model_type": "bert", "head_dim": 64, "rope_theta": 10000})";
  EXPECT_THROW(parse(text), bad_input);
  EXPECT_EQ(parse(text, pairing::interleaved).layout.pairing_in, pairing::interleaved);
  EXPECT_THROW(parse(R"({"model_type": "bert", "head_dim": 64})", pairing::interleaved), bad_input);
}

TEST(Model, PairingGivenWinsOverTheModelTypesWithAWarning) {
  const auto found = parse(llama(""), pairing::interleaved);
  EXPECT_EQ(found.layout.pairing_in, pairing::interleaved);
  EXPECT_TRUE(mentions(found.warnings, "interleaved", "half-split"));
}

TEST(Model, UnreadKeysAboutPositionsAreNamed) {
  EXPECT_TRUE(mentions(parse(llama(R"("rope_local_base_freq": 10000)")).warnings, "rope_local_base_freq",
                       "not used"));
}

TEST(Model, ByteOrderMarkIsSkipped) { EXPECT_EQ(parse("\xef\xbb\xbf" + llama("")).encoding.base, 500000); }

TEST(Model, WholeNumberMayBeWrittenWithAPoint) {
  EXPECT_EQ(parse(R"({"model_type": "llama", "head_dim": 64.0})").layout.head_dim, 64);
}

TEST(Model, ByHandTakesARuleAsInRopeScaling) {
  const auto found =
      model_by_hand(10000, 128, 64, pairing::interleaved, R"({"type": "linear", "factor": 2.5})");
  EXPECT_EQ(found.encoding.rotary_dim, 64);
  EXPECT_EQ(found.encoding.scaling.as_linear.factor, 2.5);
}

TEST(Model, EmptyArrayIsNoRule) {
  EXPECT_THROW(parse(llama(R"("rope_scaling": [])")), bad_input);
  EXPECT_EQ(parse(llama(R"("rope_scaling": {})")).encoding.scaling.rule, scaling_rule::none);
}

TEST(Model, DefaultBaseIsTold) {
  const model by_default = parse(R"({"model_type": "llama", "head_dim": 128})");
  EXPECT_NE(summary(by_default).find("base 10000 (not given: the default of llama)"), std::string::npos);
}

TEST(Model, SummaryIsOneLineWithEveryNumber) {
  EXPECT_EQ(summary(catalogue_model("llama-3.1-8b")),
            "rotary_dim 128 of head_dim 128, base 500000, half-split, rule llama3, factor 8, L 8192");
  EXPECT_EQ(summary(catalogue_model("gpt-j-6b")),
            "rotary_dim 64 of head_dim 256, base 10000, interleaved, rule default");
}

}  // namespace
}  // namespace ropewalk::model
