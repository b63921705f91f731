// Models from config.json: which key each value comes from, and which key wins a conflict. Expected numbers
// were worked out by hand.

#include "model/model.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <regex>
#include <set>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "input/bad_input.hpp"
#include "input/json_text.hpp"
#include "model/layers.hpp"

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
constexpr auto split = pairing::half_split;
constexpr auto interleaved = pairing::interleaved;
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

/// A Llama configuration with `keys` added.
std::string llama(const std::string& keys) {
  return R"({"model_type": "llama", "head_dim": 128, "rope_theta": 500000)" +
         (keys.empty() ? "" : ", " + keys) + "}";
}

model parse(const std::string& text, given<pairing> layout = {}) {
  return parse_model(text, "config.json", {.layout = layout, .layer = {}});
}

bool mentions(const std::vector<std::string>& lines, const std::string& a, const std::string& b) {
  return std::any_of(lines.begin(), lines.end(), [&](const std::string& line) {
    return line.find(a) != std::string::npos && line.find(b) != std::string::npos;
  });
}

/// Whether a fact has this name and this value, and an origin that contains `origin`.
bool reports(const model& model, const std::string& name, const std::string& value,
             const std::string& origin) {
  return std::any_of(model.facts.begin(), model.facts.end(), [&](const fact& fact) {
    return fact.name == name && fact.value == value && fact.origin.find(origin) != std::string::npos;
  });
}

std::string refusal(const std::string& text, const reading& how = {}) {
  try {
    parse_model(text, "config.json", how);
  } catch (const std::invalid_argument& error) {
    return error.what();
  }
  return "accepted";
}

TEST(Model, HeadDimGivenWinsOverTheQuotient) {
  EXPECT_EQ(parse(llama(R"("hidden_size": 1024, "num_attention_heads": 16)")).layout.head_dim, 128);
}

TEST(Model, HeadDimIsTheQuotientWhereNoneIsGiven) {
  const auto model =
      parse(R"({"model_type": "llama", "hidden_size": 4096, "num_attention_heads": 32, "head_dim": null})");
  EXPECT_EQ(model.layout.head_dim, 128);
  EXPECT_EQ(model.encoding.rotary_dim, 128);
}

TEST(Model, RotaryDimIsTheFloorOfTheRoundedProduct) {
  // The double 0.3 is below 3/10: the exact product with 80 is below 24, the rounded one is 24.
  EXPECT_EQ(parse(R"({"model_type": "nemotron", "head_dim": 80, "partial_rotary_factor": 0.3})")
                .encoding.rotary_dim,
            24);
  EXPECT_EQ(parse(R"({"model_type": "nemotron", "head_dim": 96, "partial_rotary_factor": 0.75})")
                .encoding.rotary_dim,
            72);
}

TEST(Model, PartialRotaryFactorIsTheBlocksWithoutARuleElseTheTopLevels) {
  const auto read = [](const std::string& rule) {
    return parse(R"({"model_type": "nemotron", "head_dim": 128, "partial_rotary_factor": 0.5,
                     "rope_parameters": {)" +
                 rule + R"(, "partial_rotary_factor": 0.25}})");
  };
  EXPECT_EQ(read(R"("rope_type": "default")").encoding.rotary_dim, 32);
  const auto model = read(R"("rope_type": "linear", "factor": 2)");
  EXPECT_EQ(model.encoding.rotary_dim, 64);
  EXPECT_TRUE(mentions(model.warnings, "partial_rotary_factor is 0.5", "is 0.25"));
}

TEST(Model, APartOfAHeadIsRefusedWhereTheTypesCodeTurnsAllOfIt) {
  const std::string words =
      "; allowed: 1: the code of model_type llama turns the whole head; --ignore-key "
      "partial_rotary_factor=REASON leaves it out, and --rotary-dim beside it gives the channels that "
      "another engine turns";
  const std::string top = llama(R"("partial_rotary_factor": 0.5)");
  EXPECT_EQ(refusal(top), "partial_rotary_factor is 0.5" + words);
  EXPECT_EQ(refusal(llama(R"("rope_parameters": {"rope_type": "default", "partial_rotary_factor": 0.5})")),
            "rope_parameters.partial_rotary_factor is 0.5" + words);
  EXPECT_EQ(parse(llama(R"("partial_rotary_factor": 1.0)")).encoding.rotary_dim, 128);
  const reading ignoring{.layout = {}, .layer = {}, .ignored = {{"partial_rotary_factor", "why"}}};
  const model left_out = parse_model(top, "c", ignoring);
  EXPECT_EQ(left_out.encoding.rotary_dim, 128);
  EXPECT_TRUE(mentions(left_out.warnings, "partial_rotary_factor is 0.5", "left out by --ignore-key"));
}

TEST(Model, BlockGivesWhatTheTopLevelLeavesOut) {
  const auto model = parse(R"({"model_type": "nemotron", "head_dim": 128, "rope_parameters":
      {"rope_type": "default", "partial_rotary_factor": 0.25, "rope_theta": 12345.5}})");
  EXPECT_EQ(model.encoding.rotary_dim, 32);
  EXPECT_EQ(model.encoding.base, 12345.5);
  EXPECT_EQ(model.warnings, std::vector<std::string>{});
}

TEST(Model, TheBlocksBaseWinsAndAWarningNamesBoth) {
  const auto model = parse(llama(R"("rope_parameters": {"rope_type": "default", "rope_theta": 10000})"));
  EXPECT_EQ(model.encoding.base, 10000);
  EXPECT_TRUE(mentions(model.warnings, "rope_theta is 500000",
                       "rope_parameters.rope_theta is 10000: the block's is taken"));
}

TEST(Model, MissingBaseIsTheDefaultOfTheModelType) {
  for (const char* type : {"llama", "mistral", "qwen2", "qwen3", "gemma2"}) {
    const auto model = parse(std::string(R"({"model_type": ")") + type + R"(", "head_dim": 64})");
    EXPECT_EQ(model.encoding.base, 10000) << type;
    EXPECT_TRUE(reports(model, "base", "10000", "defaults to it")) << type;
  }
  EXPECT_EQ(parse(R"({"model_type": "mixtral", "head_dim": 64})").encoding.base, 1000000);
  EXPECT_THROW(parse(R"({"model_type": "cohere_compass_text", "head_dim": 64})"), bad_input);
}

TEST(Model, GptNeoxReadsItsOwnKeys) {
  const auto model = parse(R"({"model_type": "gpt_neox", "hidden_size": 2048, "num_attention_heads": 8,
      "rotary_pct": 0.25, "rotary_emb_base": 20000, "max_position_embeddings": 2048})");
  EXPECT_EQ(model.encoding.base, 20000);
  EXPECT_EQ(model.encoding.rotary_dim, 64);
}

TEST(Model, TextConfigIsReadInPlaceOfTheTopLevel) {
  const auto model = parse(R"({"model_type": "llava", "rope_theta": 10000, "text_config":
      {"model_type": "llama", "head_dim": 64, "rope_theta": 500000}})");
  EXPECT_EQ(model.model_type, "llama");
  EXPECT_EQ(model.encoding.base, 500000);
  EXPECT_TRUE(mentions(model.warnings, "rope_theta is 10000", "text_config.rope_theta is 500000"));
}

TEST(Model, UnknownTypeNeedsAPairingAndNothingIsDefaulted) {
  const std::string text = R"({"model_type": "nobodys", "head_dim": 64, "rope_theta": 10000})";
  EXPECT_THROW(parse(text), bad_input);
  EXPECT_EQ(parse(text, pairing::interleaved).layout.pairing_in, pairing::interleaved);
  EXPECT_THROW(parse(R"({"model_type": "nobodys", "head_dim": 64})", pairing::interleaved), bad_input);
}

TEST(Model, PairingGivenWinsOverTheModelTypesWithAWarning) {
  const auto model = parse(llama(""), pairing::interleaved);
  EXPECT_EQ(model.layout.pairing_in, pairing::interleaved);
  EXPECT_TRUE(mentions(model.warnings, "interleaved", "half-split"));
}

TEST(Model, UnreadKeysAboutPositionsAreRefusedUnlessTheyAreLeftOut) {
  const std::string text = llama(R"("rope_local_base_freq": 10000)");
  EXPECT_EQ(refusal(text),
            "rope_local_base_freq is 10000; allowed: keys that model_type llama has; --ignore-key "
            "rope_local_base_freq=REASON leaves it out");
  const model model = parse_model(text, "c", {.ignored = {{"rope_local_base_freq", "of another model"}}});
  EXPECT_TRUE(mentions(model.warnings, "rope_local_base_freq is 10000", "of another model"));
  EXPECT_EQ(refusal(llama(R"("rope_local_base_freq": null, "use_mrope": false)")), "accepted");
  const reading by_pairing{.layout = pairing::half_split};
  EXPECT_NE(
      refusal(R"({"model_type": "nobodys", "head_dim": 64, "rope_theta": 10000, "yarn": {"factor": 4}})",
              by_pairing),
      "accepted");
}

TEST(Model, GemmaThreeHasATableForEachKindOfLayer) {
  const std::string text = R"({"model_type": "gemma3_text", "head_dim": 256, "rope_theta": 1000000,
      "rope_local_base_freq": 20000, "rope_scaling": {"rope_type": "linear", "factor": 8}})";
  const model full = parse_model(text, "c");
  EXPECT_EQ(full.encoding.base, 1000000);
  EXPECT_EQ(full.encoding.scaling.as<linear>().factor, 8);
  EXPECT_EQ(full.layer_type, "full_attention");
  const model sliding = parse_model(text, "c", {.layout = {}, .layer = "sliding_attention"});
  EXPECT_EQ(sliding.encoding.base, 20000);
  EXPECT_TRUE(sliding.encoding.scaling.is<unscaled>());
}

TEST(Model, NestedTablesAreChosenByLayerType) {
  const std::string text = R"({"model_type": "gemma4_text", "head_dim": 256, "global_head_dim": 512,
      "rope_parameters": {"full_attention": {"rope_type": "proportional", "rope_theta": 1000000,
      "partial_rotary_factor": 0.25}, "sliding_attention": {"rope_type": "default", "rope_theta": 10000}}})";
  const model full = parse_model(text, "c");
  EXPECT_EQ(full.layout.head_dim, 512);
  EXPECT_EQ(full.encoding.rotary_dim, 512);
  EXPECT_EQ(full.encoding.scaling.as<proportional>().live_pairs, 64);
  const model sliding = parse_model(text, "c", {.layout = {}, .layer = "sliding_attention"});
  EXPECT_EQ(sliding.layout.head_dim, 256);
  EXPECT_EQ(sliding.encoding.base, 10000);
  EXPECT_TRUE(sliding.encoding.scaling.is<unscaled>());
}

TEST(Model, KindsOfLayersHaveNames) {
  const auto kinds_of = [](const std::string& kinds) {
    const std::string text =
        R"({"model_type": "gemma3_text", "head_dim": 256, "layer_types": )" + kinds + "}";
    std::vector<std::string> names;
    for (const layer& layer : plan_of(parse_model(text, "c")).layers) names.push_back(layer.kind);
    return names;
  };
  EXPECT_EQ(kinds_of(R"(["sliding_attention", "full_attention"])"),
            (std::vector<std::string>{"sliding_attention", "full_attention"}));
  for (const char* const kinds : {R"(["full_attention", ""])", R"(["full_attention", 1])"})
    EXPECT_THROW(kinds_of(kinds), bad_input) << kinds;  // an empty name would stand for full_attention
  EXPECT_THROW(kinds_of(R"(["full_attention"], "num_hidden_layers": 2)"), bad_input) << "too few";
}

TEST(Model, LayerTypeIsRefusedWhereThereIsOneTable) {
  EXPECT_EQ(refusal(llama(""), {.layout = {}, .layer = "full_attention"}),
            "layer is full_attention; allowed: a number: the configuration has one table for all layers");
  EXPECT_EQ(refusal(R"({"model_type": "gemma3_text"})", {.layout = {}, .layer = "global"}),
            "layer is global; allowed: a layer's number, sliding_attention, full_attention");
  EXPECT_EQ(refusal(llama(R"("num_hidden_layers": 4)"), {.layout = {}, .layer = "4"}),
            "layer is 4; allowed: 0 to 3");
  EXPECT_EQ(refusal(llama(R"("num_hidden_layers": 4)"), {.layout = {}, .layer = "3"}), "accepted");
}

/// A Gemma 3 configuration with a table for each kind of layer, and a top-level base for sliding layers.
std::string gemma3(const std::string& sliding) {
  return R"({"model_type": "gemma3_text", "head_dim": 64, "rope_theta": 1000000,
      "rope_local_base_freq": 20000,
      "rope_parameters": {"full_attention": {"rope_type": "default"}, "sliding_attention": )" +
         sliding + "}}";
}

TEST(Model, SlidingBaseComesFromTheTopLevelWhereItsTableHasNone) {
  const reading sliding{.layout = {}, .layer = "sliding_attention"};
  const model from_top = parse_model(gemma3("{}"), "c", sliding);
  EXPECT_EQ(from_top.encoding.base, 20000);
  const model conflict = parse_model(gemma3(R"({"rope_theta": 30000})"), "c", sliding);
  EXPECT_EQ(conflict.encoding.base, 30000);
  EXPECT_TRUE(mentions(conflict.warnings, "rope_local_base_freq is 20000",
                       "rope_parameters.sliding_attention.rope_theta is 30000"));
  const std::string others =
      R"({"model_type": "llama", "head_dim": 64, "rope_theta": 500000, "rope_parameters":
      {"sliding_attention": {"rope_type": "default"}, "full_attention": {"rope_theta": 20000}}})";
  EXPECT_EQ(parse_model(others, "c", sliding).encoding.base, 500000);
}

TEST(Model, BlockKeysThatNobodyReadsAreNamed) {
  const auto warned = [](const std::string& text, const std::string& a, const std::string& b) {
    return mentions(parse(text).warnings, a, b);
  };
  EXPECT_EQ(refusal(R"({"model_type": "gptj", "n_embd": 64, "n_head": 1, "rotary_dim": 32, "rope_scaling":
      {"type": "linear", "factor": 2}})"),
            "rope_scaling.rope_type is linear; allowed: default: model_type gptj has no other");
  EXPECT_TRUE(warned(llama(R"("max_position_embeddings": 4096, "rope_scaling":
      {"type": "linear", "factor": 2, "max_position_embeddings": 99999})"),
                     "rope_scaling.max_position_embeddings is 99999", "not used"));
  EXPECT_TRUE(warned(llama(R"("original_max_position_embeddings": 2048, "rope_scaling":
      {"type": "linear", "factor": 2})"),
                     "original_max_position_embeddings is 2048", "rule linear does not depend on it"));
  EXPECT_TRUE(warned(R"({"model_type": "llama", "head_dim": 64, "rope_parameters":
      {"rope_type": "yarn", "full_attention": {"rope_type": "default"}}})",
                     "rope_parameters.rope_type is \"yarn\"", "not used"));
}

TEST(Model, PairingOverATypeThatCrossesIsWarnedOf) {
  const model model = parse(R"({"model_type": "deepseek_v3", "qk_rope_head_dim": 64})", pairing::interleaved);
  EXPECT_EQ(model.layout.pairing_out, interleaved);
  EXPECT_TRUE(mentions(model.warnings, "--pairing is interleaved", "interleaved read, half-split written"));
}

TEST(Model, TypesWithoutTheirMscalesAreRefused) {
  EXPECT_TRUE(refusal(R"({"model_type": "phimoe", "head_dim": 4, "rope_theta": 10000,
      "max_position_embeddings": 16, "rope_scaling": {"type": "longrope", "short_factor": [1, 1],
      "long_factor": [2, 2], "original_max_position_embeddings": 8}})")
                  .starts_with("rope_scaling.short_mscale is missing; allowed: "));
}

TEST(Model, GlmDoublesItsCosinesByHalves) {
  EXPECT_EQ(parse(R"({"model_type": "glm4", "head_dim": 128})").doubled, split);
  EXPECT_EQ(catalogue_model("command-r-v01").doubled, interleaved);
}

TEST(Model, TableThatIsNotThereIsRefused) {
  EXPECT_EQ(refusal(R"({"model_type": "llama", "head_dim": 64, "rope_parameters":
      {"sliding_attention": {"rope_type": "default"}}})"),
            "rope_parameters.full_attention is missing; allowed: sliding_attention");
}

TEST(Model, ChatGlmTurnsHalfOfItsHeadAndMultipliesItsBase) {
  const model read_model =
      parse(R"({"model_type": "chatglm", "kv_channels": 128, "rope_ratio": 50, "seq_length": 32768})");
  EXPECT_EQ(read_model.encoding.rotary_dim, 64);
  EXPECT_EQ(read_model.encoding.base, 500000);
  EXPECT_EQ(read_model.layout.pairing_in, interleaved);
  EXPECT_EQ(read_model.max_position_embeddings, 32768);
  const model split_form = parse(R"({"model_type": "chatglm", "kv_channels": 128, "original_rope": false})");
  EXPECT_EQ(split_form.layout.pairing_in, split);
}

TEST(Model, LatentAttentionTurnsItsOwnPartOfTheHead) {
  const model read_model = catalogue_model("deepseek-v3");
  EXPECT_EQ(read_model.layout.head_dim, 64);
  EXPECT_EQ(read_model.latent_channels, 192);
  const model by_default =
      parse(R"({"model_type": "deepseek_v3", "hidden_size": 7168, "num_attention_heads": 128})");
  EXPECT_EQ(by_default.layout.head_dim, 64);
  EXPECT_TRUE(
      reports(by_default, "head_dim", "64", "no qk_rope_head_dim is given: model_type deepseek_v3's own"));
}

TEST(Model, RotaryDimThatIsOddOrZeroNamesHeadDimAndFactor) {
  EXPECT_EQ(refusal(R"({"model_type": "nemotron", "head_dim": 50, "partial_rotary_factor": 0.5})"),
            "rotary_dim is 25 = floor(head_dim 50 x 0.5); allowed: an even number from 2 to head_dim 50");
  EXPECT_EQ(refusal(R"({"model_type": "nemotron", "head_dim": 50, "partial_rotary_factor": 0.01})"),
            "rotary_dim is 0 = floor(head_dim 50 x 0.01); allowed: an even number from 2 to head_dim 50");
}

TEST(Model, KnownTypesThatAreNotBuiltSayWhy) {
  EXPECT_NE(
      refusal(R"({"model_type": "xcodec2", "head_dim": 128})").find("turns each head by its own number"),
      std::string::npos);
  EXPECT_EQ(
      refusal(R"({"model_type": "bert"})"),
      "model_type is bert; allowed: a type that rotates: this one adds a learned row for each position");
  EXPECT_EQ(
      refusal(R"({"model_type": "llava"})"),
      "model_type is llava; allowed: the type of a text model: this type keeps its keys in text_config, "
      "and the "
      "file lacks it or its model_type");
  EXPECT_NE(refusal(R"({"model_type": "bloom", "head_dim": 128})").find("ALiBi"), std::string::npos);
  EXPECT_EQ(refusal(R"({"model_type": "falcon", "head_dim": 64, "alibi": true})"),
            "alibi is true; allowed: false: with it the model adds ALiBi's biases and does not rotate");
}

TEST(Model, SeqLenIsSetAndToldWhereTheRuleLooksAtIt) {
  model phi = catalogue_model("phi-3.5-mini");
  phi = at_length(phi, {4097, "--seq-len"});
  EXPECT_EQ(phi.encoding.seq_len, 4097);
  EXPECT_TRUE(reports(phi, "seq_len", "4097", "--seq-len"));
  EXPECT_NE(summary(phi).find("seq_len 4097"), std::string::npos);
  model other = catalogue_model("llama-3.1-8b");
  other = at_length(other, {4097, "--seq-len"});
  EXPECT_EQ(other.encoding.seq_len, 0);
}

TEST(Model, EncodingsOtherThanPlainUtf8AreNamed) {
  using namespace std::string_literals;
  EXPECT_NE(refusal("\xef\xbb\xbf" + llama("")).find("byte order mark"), std::string::npos);
  for (const std::string& begin : {"\xff\xfe{\0"s, "\xfe\xff\0{"s, "{\0"s, "\0{"s})
    EXPECT_NE(refusal(begin).find("UTF-16"), std::string::npos);
  EXPECT_NE(refusal("\xff\xfe\0\0"s).find("UTF-32"), std::string::npos);
}

TEST(Model, WholeNumberMayBeWrittenWithAPoint) {
  EXPECT_EQ(parse(R"({"model_type": "llama", "head_dim": 64.0})").layout.head_dim, 64);
}

TEST(Model, ByHandTakesARuleAsInRopeScaling) {
  const auto model =
      model_by_hand(10000, 128, 64, pairing::interleaved, R"({"type": "linear", "factor": 2.5})");
  EXPECT_EQ(model.encoding.rotary_dim, 64);
  EXPECT_EQ(model.encoding.scaling.as<linear>().factor, 2.5);
}

TEST(Model, EmptyArrayIsNoRule) {
  EXPECT_THROW(parse(llama(R"("rope_scaling": [])")), bad_input);
  EXPECT_TRUE(parse(llama(R"("rope_scaling": {})")).encoding.scaling.is<unscaled>());
}

TEST(Model, DefaultBaseIsTold) {
  const model by_default = parse(R"({"model_type": "llama", "head_dim": 128})");
  EXPECT_NE(summary(by_default).find("base 10000 (not given: the default of llama)"), std::string::npos);
}

TEST(Model, KindsOfDeepSeekV4AreRatiosAndTheLastChannelsRotate) {
  const std::string text =
      R"({"model_type": "deepseek_v4", "num_hidden_layers": 3, "compress_ratios": [0, 4, 128, 0],
          "max_position_embeddings": 1048576, "rope_scaling": {"type": "yarn", "factor": 16,
          "original_max_position_embeddings": 65536}})";
  const model compressed = parse(text);
  EXPECT_EQ(compressed.layout.rotary_begin, 448);
  EXPECT_EQ(compressed.encoding.scaling.as<yarn>().attention_factor.value, 1);
  const layer_plan plan = plan_of(compressed);
  ASSERT_EQ(plan.layers.size(), 3u);
  EXPECT_EQ(plan.layers[0].kind, "main");
  EXPECT_EQ(plan.layers[1].kind, "compress");
  EXPECT_EQ(plan.tables[static_cast<std::size_t>(plan.layers[0].table)].encoding.base, 10000);
}

TEST(Model, LayersOfMuseCountFromTheEnd) {
  const layer_plan plan =
      plan_of(parse(R"({"model_type": "muse_glimmer_text", "rope_theta": 500000, "num_hidden_layers": 6})"));
  ASSERT_EQ(plan.layers.size(), 6u);
  EXPECT_EQ(plan.layers[1].table, -1);
  EXPECT_EQ(plan.layers[5].table, -1);
  EXPECT_NE(plan.layers[0].table, -1);
}

/// The configuration that the metadata of a GGUF file becomes.
input::json config_of_file(const std::string& architecture, const std::string& keys) {
  std::string text = R"({"general.architecture": ")" + architecture + '"';
  for (const std::string& key :
       {std::string(R"("embedding_length": 4096)"), std::string(R"("attention.head_count": 32)"),
        std::string(R"("context_length": 131072)"), std::string(R"("block_count": 4)"), keys})
    text += ", " +
            std::regex_replace(key, std::regex("\"([a-z.]+[a-z_.]*)\": "), "\"" + architecture + ".$1\": ");
  return input::object_of(parse(text + "}").config);
}

TEST(Model, TheQueryScaleOfAFileIsInTheWordsOfAConfiguration) {
  const std::string yarn = R"("rope.scaling.type": "yarn", "rope.scaling.factor": 16.0,
      "rope.scaling.original_context_length": 16384, "attention.temperature_scale": 0.125)";
  const input::json of_yarn = config_of_file("mistral3", yarn)["rope_scaling"];
  EXPECT_EQ(of_yarn["llama_4_scaling_beta"], 0.125);
  EXPECT_EQ(of_yarn["original_max_position_embeddings"], 16384);
  EXPECT_EQ(of_yarn["rope_type"], "yarn");
  const input::json plain = config_of_file("mistral3", R"("attention.temperature_scale": 0.125)");
  EXPECT_EQ(plain["rope_scaling"]["llama_4_scaling_beta"], 0.125);
  EXPECT_EQ(plain["rope_scaling"]["original_max_position_embeddings"], 131072);
  EXPECT_EQ(plain["rope_scaling"]["rope_type"], "default");
  const std::string latent = R"("rope.dimension_count": 64, "attention.key_length_mla": 192,
      "attention.temperature_scale": 0.125, "attention.temperature_length": 8192)";
  for (const char* const architecture : {"deepseek2", "mistral4"}) {
    const input::json block = config_of_file(architecture, latent)["rope_scaling"];
    EXPECT_EQ(block["llama_4_scaling_beta"], 0.125);
    EXPECT_EQ(block["original_max_position_embeddings"], 8192);
  }
  const input::json fixed = config_of_file("llama4", R"("rope.dimension_count": 128)");
  EXPECT_EQ(fixed["attn_scale"], 0.1);
  EXPECT_EQ(fixed["floor_scale"], 8192);
  EXPECT_EQ(fixed["attn_temperature_tuning"], true);
  EXPECT_EQ(config_of_file("llama4", R"("attention.sliding_window": 0)")["attn_temperature_tuning"], false);
  // An architecture whose code does not read the keys, and a scale of 0, have none.
  EXPECT_FALSE(config_of_file("llama", yarn)["rope_scaling"].contains("llama_4_scaling_beta"));
  EXPECT_FALSE(config_of_file("mistral3", R"("attention.temperature_scale": 0)").contains("rope_scaling"));
}

TEST(Model, SummaryIsOneLineWithEveryNumber) {
  EXPECT_EQ(summary(catalogue_model("llama-3.1-8b")),
            "rotary_dim 128 of head_dim 128, base 500000, half-split, rule llama3, factor 8, L 8192");
  EXPECT_EQ(summary(catalogue_model("gpt-j-6b")),
            "rotary_dim 64 of head_dim 256, base 10000, interleaved, rule default");
}

}  // namespace
}  // namespace ropewalk::model::model_test
