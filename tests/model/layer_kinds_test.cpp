// Models whose kinds of layers have tables of their own.

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "input/bad_input.hpp"
#include "model/config_texts.hpp"
#include "model/layers.hpp"
#include "model/model.hpp"

namespace ropewalk::model::model_test {
namespace {

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

TEST(Model, TableThatIsNotThereIsRefused) {
  EXPECT_EQ(refusal(R"({"model_type": "llama", "head_dim": 64, "rope_parameters":
      {"sliding_attention": {"rope_type": "default"}}})"),
            "rope_parameters.full_attention is missing; allowed: sliding_attention");
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

}  // namespace
}  // namespace ropewalk::model::model_test
