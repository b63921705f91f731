// Models of the catalogue: their numbers, which were worked out by hand, and the spread of their kinds.

#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "input/json_text.hpp"
#include "model/config_texts.hpp"
#include "model/model.hpp"

namespace ropewalk::model::model_test {
namespace {

struct expected_model {
  const char* name;
  double base;
  int head_dim;
  int rotary_dim;
  pairing layout;
  std::string_view rule;
  double factor;
  double original_length;
  std::int64_t max_position_embeddings;
};

// Worked out by hand from each configuration. GPT-J: 4096 / 16 = 256 channels a head, 64 rotate. GPT-NeoX:
// 6144 / 64 = 96, a quarter of it is 24. StableLM 2 12B: 5120 / 32 = 160, a quarter is 40.
constexpr expected_model expected_models[] = {
    {"chatglm3-6b-32k", 500000, 128, 64, interleaved, unscaled::name, 1, 0, 32768},
    {"codegen-350m-mono", 10000, 64, 32, interleaved, unscaled::name, 1, 0, 2048},
    {"codellama-7b", 1000000, 128, 128, split, unscaled::name, 1, 0, 16384},
    {"command-r-v01", 8000000, 128, 128, interleaved, unscaled::name, 1, 0, 8192},
    {"deepseek-coder-6.7b", 100000, 128, 128, split, linear::name, 4, 0, 16384},
    {"deepseek-v2-lite", 10000, 64, 64, interleaved, yarn::name, 40, 4096, 163840},
    {"deepseek-v3", 10000, 64, 64, interleaved, yarn::name, 40, 4096, 163840},
    {"falcon-7b", 10000, 64, 64, split, unscaled::name, 1, 0, 2048},
    {"gemma-2-9b", 10000, 256, 256, split, unscaled::name, 1, 0, 8192},
    {"gemma-3-27b", 1000000, 128, 128, split, linear::name, 8, 0, 131072},
    {"gemma-4", 1000000, 512, 512, split, proportional::name, 1, 0, 131072},
    {"glm-4-9b-chat", 5000000, 128, 64, interleaved, unscaled::name, 1, 0, 131072},
    {"gpt-j-6b", 10000, 256, 64, interleaved, unscaled::name, 1, 0, 2048},
    {"gpt-neox-20b", 10000, 96, 24, split, unscaled::name, 1, 0, 2048},
    {"gpt-oss-20b", 150000, 64, 64, split, yarn::name, 32, 4096, 131072},
    {"internlm2.5-7b-chat", 1000000, 128, 128, split, dynamic::name, 2, 0, 32768},
    {"llama-2-7b", 10000, 128, 128, split, unscaled::name, 1, 0, 4096},
    {"llama-3-8b", 500000, 128, 128, split, unscaled::name, 1, 0, 8192},
    {"llama-3.1-8b", 500000, 128, 128, split, llama3::name, 8, 8192, 131072},
    {"llama-3.2-1b", 500000, 64, 64, split, llama3::name, 32, 8192, 131072},
    {"mistral-7b-v0.1", 10000, 128, 128, split, unscaled::name, 1, 0, 32768},
    {"mixtral-8x7b-v0.1", 1000000, 128, 128, split, unscaled::name, 1, 0, 32768},
    {"olmo-2-7b", 500000, 128, 128, split, unscaled::name, 1, 0, 4096},
    {"persimmon-8b", 25000, 64, 32, split, unscaled::name, 1, 0, 16384},
    {"phi-2", 10000, 80, 32, split, unscaled::name, 1, 0, 2048},
    {"phi-3.5-mini", 10000, 96, 96, split, longrope::name, 32, 4096, 131072},
    {"phi-3.5-moe", 10000, 128, 128, split, longrope::name, 32, 4096, 131072},
    {"pythia-6.9b", 10000, 128, 32, split, unscaled::name, 1, 0, 2048},
    {"qwen2.5-7b", 1000000, 128, 128, split, unscaled::name, 1, 0, 131072},
    {"qwen2.5-7b-yarn4", 1000000, 128, 128, split, yarn::name, 4, 32768, 131072},
    {"qwen3-0.6b", 1000000, 128, 128, split, unscaled::name, 1, 0, 40960},
    {"stablelm-2-12b", 10000, 160, 40, split, unscaled::name, 1, 0, 4096},
    {"yi-34b-200k", 5000000, 128, 128, split, unscaled::name, 1, 0, 200000},
};

TEST(Catalogue, HoldsTheseModelsAmongOthers) {
  const std::vector<std::string> names = catalogue_names();
  EXPECT_TRUE(std::is_sorted(names.begin(), names.end()));
  for (const auto& expected : expected_models)
    EXPECT_TRUE(std::binary_search(names.begin(), names.end(), expected.name)) << expected.name;
}

TEST(Catalogue, EveryModelSaysWhereItsNumbersComeFromAndIsUnderstoodWhole) {
  for (const std::string& name : catalogue_names()) {
    SCOPED_TRACE(name);
    const model model = catalogue_model(name);
    EXPECT_FALSE(model.source.empty());
    EXPECT_EQ(model.warnings, std::vector<std::string>{});
    EXPECT_GT(model.max_position_embeddings, 0);
  }
}

TEST(Catalogue, ModelHasTheNumbersOfItsConfiguration) {
  for (const auto& expected : expected_models) {
    SCOPED_TRACE(expected.name);
    const model model = catalogue_model(expected.name);
    EXPECT_EQ(model.encoding.base, expected.base);
    EXPECT_EQ(model.layout.head_dim, expected.head_dim);
    EXPECT_EQ(model.encoding.rotary_dim, expected.rotary_dim);
    EXPECT_EQ(model.layout.pairing_in, expected.layout);
    EXPECT_EQ(name_of(model.encoding.scaling), expected.rule);
    EXPECT_EQ(factor_of(model.encoding.scaling), expected.factor);
    EXPECT_EQ(original_length_of(model.encoding.scaling), expected.original_length);
    EXPECT_EQ(model.max_position_embeddings, expected.max_position_embeddings);
  }
}

TEST(Catalogue, DeepseekV3ReadsInterleavedAndWritesHalfSplit) {
  EXPECT_EQ(catalogue_model("deepseek-v3").layout.pairing_out, split);
  EXPECT_EQ(catalogue_model("deepseek-v2").layout.pairing_out, interleaved);
}

using kind = std::tuple<int, pairing, pairing, bool, bool>;

kind kind_of(std::string_view name) {
  const model model = catalogue_model(name);
  return {model.encoding.scaling.index, model.layout.pairing_in, model.layout.pairing_out,
          model.encoding.rotary_dim < model.layout.head_dim, is_mrope(model.axes)};
}

// Kinds that are in the spread part by part, and together only here: one model of each. What `verify` takes
// by itself is chosen by hand, as its time is.
constexpr std::string_view kinds_beside_the_spread[] = {"deepseek-v4",  "glm-4.1v-9b",   "glm-5",
                                                        "glm_ocr_text", "llama-4-scout", "qwen3.5-27b"};

TEST(Catalogue, SpreadLeavesNoKindOfModelOut) {
  std::set<kind> shown, all;
  for (const std::string_view name : catalogue_spread()) shown.insert(kind_of(name));
  for (const std::string_view name : kinds_beside_the_spread)
    EXPECT_TRUE(shown.insert(kind_of(name)).second) << name;
  for (const std::string& name : catalogue_names()) all.insert(kind_of(name));
  EXPECT_EQ(shown, all);
  EXPECT_EQ(catalogue_spread().size(), 14U);
}

TEST(Catalogue, SpreadHasEveryRuleEachPairingAndEachWidth) {
  std::set<int> shown_rules, rules;
  std::set<std::pair<pairing, pairing>> shown_pairings, pairings;
  std::set<bool> shown_parts, shown_axes;
  for (const std::string_view name : catalogue_spread()) {
    const auto [rule, in, out, is_part, has_axes] = kind_of(name);
    shown_rules.insert(rule);
    shown_pairings.insert({in, out});
    shown_parts.insert(is_part);
    shown_axes.insert(has_axes);
  }
  for (const std::string& name : catalogue_names()) {
    const auto [rule, in, out, is_part, has_axes] = kind_of(name);
    rules.insert(rule);
    pairings.insert({in, out});
  }
  EXPECT_EQ(shown_rules, rules);
  EXPECT_EQ(shown_pairings, pairings);
  EXPECT_EQ(shown_parts.size(), 2U);
  EXPECT_EQ(shown_axes.size(), 2U);
}

TEST(Catalogue, GptOssDoesNotTruncateItsRamp) {
  EXPECT_FALSE(catalogue_model("gpt-oss-20b").encoding.scaling.as<yarn>().truncate);
  EXPECT_TRUE(catalogue_model("qwen2.5-7b-yarn4").encoding.scaling.as<yarn>().truncate);
}

TEST(Catalogue, UnknownNameIsRefusedWithTheKnownOnes) {
  try {
    catalogue_model("lama-2-7b");
    FAIL() << "accepted";
  } catch (const std::invalid_argument& error) {
    const std::string what = error.what();
    EXPECT_TRUE(what.starts_with(
        "no model named 'lama-2-7b'; did you mean 'llama-2-7b'? (`ropewalk models` lists all "))
        << what;
  }
}

}  // namespace
}  // namespace ropewalk::model::model_test
