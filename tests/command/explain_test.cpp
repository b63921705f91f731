// ropewalk explain config: every derived quantity, with where it came from. Witnesses from the models' own
// papers and code: YaRN's ramps, LongRoPE's attention factor, DeepSeek's softmax scale.

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <string>
#include <utility>

#include "command/program.hpp"

namespace ropewalk::command {
namespace {

using json = nlohmann::json;

json explained(const std::string& arguments) {
  const outcome outcome = run("explain config " + arguments + " --json");
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  return json::parse(outcome.out);
}

/// The value of a quantity, and what its origin must hold.
std::string value_of(const json& record, const std::string& name, const std::string& origin = "") {
  for (const json& quantity : record["quantities"])
    if (quantity["name"] == name) {
      EXPECT_NE(quantity["origin"].get<std::string>().find(origin), std::string::npos) << quantity;
      return quantity["value"];
    }
  return "missing";
}

TEST(Explain, YarnRampThatIsTruncated) {
  const json qwen = explained("--model qwen2.5-7b-yarn4");
  EXPECT_EQ(value_of(qwen, "ramp", "beta_fast 32"), "(23, 40)");
  EXPECT_EQ(value_of(qwen, "pairs kept"), "0 to 23");
  EXPECT_EQ(value_of(qwen, "pairs blended"), "24 to 39");
  EXPECT_EQ(value_of(qwen, "pairs divided"), "40 to 63");
  EXPECT_EQ(value_of(qwen, "attention factor", "0.1 ln factor + 1"), "1.13862943611199");
  EXPECT_EQ(value_of(explained("--model deepseek-v3"), "ramp"), "(10, 23)");
}

TEST(Explain, YarnRampThatIsNotTruncated) {
  EXPECT_EQ(value_of(explained("--model gpt-oss-20b"), "ramp", "truncate false"), "(8.0928, 17.3980)");
}

TEST(Explain, LongropeTakesItsListStrictlyBeyondTheOriginalLength) {
  const json at = explained("--model phi-3.5-mini --seq-len 4096");
  const json beyond = explained("--model phi-3.5-mini --seq-len 4097");
  EXPECT_EQ(value_of(at, "list", "is not above L 4096"), "short_factor");
  EXPECT_EQ(value_of(beyond, "list", "is above L 4096"), "long_factor");
  for (const json& value : {at, beyond})
    EXPECT_EQ(value_of(value, "attention factor", "sqrt(1 + ln factor 32 / ln L 4096)"), "1.19023807142381");
  EXPECT_EQ(value_of(explained("--model phi-3.5-moe"), "attention factor", "long_mscale"),
            "1.24316312101612");
}

TEST(Explain, DynamicGrowsItsBase) {
  EXPECT_EQ(value_of(explained("--model internlm2.5-7b-chat --seq-len 32768"), "grown base", "not above"),
            "1000000");
  EXPECT_EQ(value_of(explained("--model internlm2.5-7b-chat --seq-len 32768"), "pairs kept"), "0 to 63");
  const json doubled = explained("--model internlm2.5-7b-chat --seq-len 65536");
  EXPECT_EQ(value_of(doubled, "pairs kept"), "0");
  EXPECT_EQ(value_of(doubled, "grown base", "factor x seq_len"), "3052773.67488067");  // 10^6 x 3^(128 / 126)
  // 500000 x 10^2 is a tie of neither format, and 1 / its root is no binary64.
  const json exact = explained(
      "--base 500000 --head-dim 4 --scaling '{\"type\":\"dynamic\",\"factor\":1.5,"
      "\"max_position_embeddings\":32768}' --seq-len 327683");
  EXPECT_NE(value_of(exact, "grown base"), "missing");
}

TEST(Explain, LatentAttentionHasASoftmaxScale) {
  EXPECT_EQ(value_of(explained("--model deepseek-v3"), "softmax scale", "192^(-1/2)"), "0.13523377886088");
}

TEST(Explain, TwoTablesAreChosenByLayerType) {
  EXPECT_EQ(value_of(explained("--model gemma-3-4b"), "base"), "1000000");
  EXPECT_EQ(value_of(explained("--model gemma-3-4b --layer sliding_attention"), "base"), "10000");
  EXPECT_EQ(value_of(explained("--model gemma-4"), "pairs not rotated"), "64 to 255");
}

TEST(Explain, TextNamesEveryQuantityAndItsOrigin) {
  const scratch_folder folder;
  const std::string config = folder.put("config.json", R"({"model_type": "llama", "hidden_size": 4096,
      "num_attention_heads": 32, "rope_theta": 500000, "max_position_embeddings": 131072, "rope_scaling":
      {"rope_type": "llama3", "factor": 8, "low_freq_factor": 1, "high_freq_factor": 4,
       "original_max_position_embeddings": 8192}})");
  const outcome outcome = run("explain config " + config);
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  for (const char* part :
       {"hidden_size 4096 / num_attention_heads 32", "rope_scaling.original_max_position_embeddings",
        "kept below", "2048", "divided above", "8192", "0 to 28", "29 to 34", "35 to 63", "20473564.1389709"})
    EXPECT_NE(outcome.out.find(part), std::string::npos) << part << "\n" << outcome.out;
}

TEST(Explain, WarningsNameBothValues) {
  const scratch_folder folder;
  const std::string config =
      folder.put("config.json", R"({"model_type": "llama", "head_dim": 64, "rope_theta": 10000,
      "rope_parameters": {"rope_type": "default", "rope_theta": 20000}})");
  const outcome outcome = run("explain config " + config);
  EXPECT_NE(outcome.out.find("warning: rope_theta is 10000 and rope_parameters.rope_theta is 20000"),
            std::string::npos)
      << outcome.out;
}

TEST(Explain, SectionsOfMropeAreToldPairByPair) {
  const json chunks = explained("--model qwen2-vl-7b");
  EXPECT_EQ(value_of(chunks, "time pairs", "consecutive runs"), "0 to 15");
  EXPECT_EQ(value_of(chunks, "height pairs"), "16 to 39");
  EXPECT_EQ(value_of(chunks, "width pairs"), "40 to 63");
  const json strides = explained(
      "--base 5000000 --head-dim 16 --scaling '{\"type\":\"default\",\"mrope_section\":[4,3,1],"
      "\"mrope_interleaved\":true}'");
  EXPECT_EQ(value_of(strides, "time pairs", "interleaved"), "0, 3, 5 to 6");
  EXPECT_EQ(value_of(strides, "height pairs"), "1, 4, 7");
  EXPECT_EQ(value_of(strides, "width pairs"), "2");
  EXPECT_EQ(value_of(explained("--model llama-2-7b"), "time pairs"), "missing");
}

TEST(Explain, WhatItDoesNotKnowIsRefused) {
  for (const char* arguments :
       {"explain", "explain nonsense x.json", "explain config", "explain config /nonexistent",
        "explain config --model llama-2-7b --positions 4",
        "explain config --model llama-2-7b --layer sliding_attention",
        "explain config --model phi-3.5-mini --seq-len 0"}) {
    const outcome outcome = run(arguments);
    EXPECT_EQ(outcome.code, 2) << arguments;
    EXPECT_EQ(outcome.out, "");
    EXPECT_EQ(lines_of(outcome.err), 1) << outcome.err;
    EXPECT_TRUE(outcome.err.find("; allowed: ") != std::string::npos ||
                outcome.err.find(" named '") != std::string::npos)
        << outcome.err;
  }
}

TEST(Explain, EmptyArgumentsAreCalledByWhatTheyStandFor) {
  for (const auto& [arguments, words] :
       {std::pair("explain entry '' ''", "position is empty; allowed: a whole number"),
        {"explain entry 1 ''", "pair is empty; allowed: a whole number from 0"},
        {"explain claim ''", "claim is empty; allowed: a number that `ropewalk explain claims` lists"},
        {"explain law ''", "law is empty; allowed: a name that `ropewalk verify --list` lists"},
        {"explain config ''", "config is empty; allowed: a config.json"},
        {"explain extrapolation ''", "config is empty; allowed: a config.json"},
        {"explain ''", "subject is empty; allowed: config, engines, image-engines"},
        {"explain claims ''", "argument is empty; allowed: none here"},
        {"explain law accuracy ''", "argument is empty; allowed: none here"},
        {"explain nonsense ''", "no subject named 'nonsense'"}}) {
    const outcome outcome = run(arguments);
    EXPECT_EQ(outcome.code, 2) << arguments;
    EXPECT_EQ(outcome.out, "");
    EXPECT_EQ(lines_of(outcome.err), 1) << outcome.err;
    EXPECT_TRUE(outcome.err.starts_with(std::string("ropewalk: ") + words)) << outcome.err;
  }
}

TEST(Explain, ClaimsAreNamedByTheirNumberAsItIsListed) {
  for (const std::string number : {"01", "+1", "1.0", "0x1"})
    EXPECT_TRUE(
        run("explain claim " + number).err.starts_with("ropewalk: claim is " + number + "; allowed: "))
        << number;
  EXPECT_EQ(run("explain claim 1").code, 0);
}

TEST(SeqLen, IsOneMoreThanTheLargestPositionUnlessGiven) {
  const auto said = [](const std::string& arguments) {
    return run("table inv-freq --model phi-3.5-mini --format csv --output - " + arguments);
  };
  EXPECT_NE(said("--positions 4096").err.find("seq_len 4096"), std::string::npos);
  EXPECT_NE(said("--positions 4097").err.find("seq_len 4097"), std::string::npos);
  // The first line tells the command, which differs anyhow.
  const auto rows = [&](const std::string& arguments) {
    const std::string text = said(arguments).out;
    return text.substr(text.find('\n'));
  };
  EXPECT_NE(rows("--positions 4096"), rows("--positions 4097"));
  EXPECT_EQ(rows("--positions 4096"), rows("--positions 8192 --seq-len 4096"));
  EXPECT_EQ(rows("--positions 4097"), rows("--positions 8192"));
  EXPECT_NE(said("--positions 8192 --seq-len 4096").err.find("seq_len 4096"), std::string::npos);
  EXPECT_NE(said("--positions -8:0").err.find("seq_len 1\n"), std::string::npos);
}

TEST(SeqLen, IsWarnedOfWhereTheRuleDoesNotLookAtIt) {
  EXPECT_NE(run("table inv-freq --model llama-3.1-8b --seq-len 4 --format csv --output -")
                .err.find("warning: seq-len is 4: rule llama3 does not depend on it"),
            std::string::npos);
}

}  // namespace
}  // namespace ropewalk::command
