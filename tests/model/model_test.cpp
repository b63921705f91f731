// Models from config.json: which key each value comes from, and which key wins a conflict. Expected numbers
// were worked out by hand.

#include "model/model.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <regex>
#include <string>
#include <vector>

#include "input/bad_input.hpp"
#include "input/json_text.hpp"
#include "model/config_texts.hpp"
#include "model/layers.hpp"

namespace ropewalk::model::model_test {
namespace {

/// Whether a fact has this name and this value, and an origin that contains `origin`.
bool reports(const model& model, const std::string& name, const std::string& value,
             const std::string& origin) {
  return std::any_of(model.facts.begin(), model.facts.end(), [&](const fact& fact) {
    return fact.name == name && fact.value == value && fact.origin.find(origin) != std::string::npos;
  });
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
