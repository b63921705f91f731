// ropewalk explain extrapolation: lengths and where they come from, what is measured, what is refused.

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <string>

#include "command/program.hpp"

namespace ropewalk::command {
namespace {

using json = nlohmann::json;

json measured(const std::string& arguments) {
  const outcome outcome = run("explain extrapolation " + arguments + " --json");
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  return json::parse(outcome.out);
}

const json& named(const json& list, const std::string& key, const std::string& name) {
  for (const json& value : list)
    if (value[key] == name) return value;
  ADD_FAILURE() << name << " is missing";
  static const json nothing = json::object();
  return nothing;
}

TEST(Extrapolation, Llama2AtEightTimesItsLength) {
  const json object = measured("--model llama-2-7b --target 32768");
  EXPECT_EQ(object["trained"]["length"], 4096);
  EXPECT_EQ(object["trained"]["origin"], "max_position_embeddings");
  EXPECT_EQ(object["target"]["origin"], "--target");
  EXPECT_EQ(object["rope"]["summary"]["unseen_pairs"], 18);  // its critical dimension is 92
  EXPECT_EQ(object["rope"]["pairs"].size(), 64u);
  EXPECT_EQ(object["rope"]["pairs"][63]["unseen"], 0.875);
  EXPECT_EQ(object["rope"]["pairs"][45]["unseen"], 0);
}

TEST(Extrapolation, RulesAreMeasuredOnTheSameRope) {
  const json object = measured("--model llama-2-7b --target 32768");
  EXPECT_EQ(named(object["rules"], "rule", "none")["summary"]["unseen_pairs"], 18);
  EXPECT_EQ(named(object["rules"], "rule", "ntk")["summary"]["unseen_pairs"], 17);
  for (const char* rule : {"linear", "yarn", "llama3", "longrope"})
    EXPECT_EQ(named(object["rules"], "rule", rule)["summary"]["unseen_pairs"], 0) << rule;
  EXPECT_EQ(named(object["rules"], "rule", "linear")["summary"]["least_step"], 0.125);
  EXPECT_EQ(named(object["rules"], "rule", "longrope")["summary"]["least_step"], 1);
}

TEST(Extrapolation, EncodingsAreAskedForThePosition) {
  const json object = measured("--model llama-2-7b --target 32768");
  EXPECT_EQ(object["encodings"].size(), 11u);
  EXPECT_EQ(named(object["encodings"], "encoding", "learned")["serves"], false);
  EXPECT_EQ(named(object["encodings"], "encoding", "learned")["refusal"],
            "position is 32767; allowed: a number from 0 to max_position_embeddings - 1");
  EXPECT_EQ(named(object["encodings"], "encoding", "t5")["unseen"], 0);
  EXPECT_EQ(named(object["encodings"], "encoding", "alibi")["serves"], true);
}

TEST(Extrapolation, ARuleOfTheModelIsPutOnAfterItsOriginalLength) {
  const json object = measured("--model llama-3.1-8b");
  EXPECT_EQ(object["trained"]["origin"], "original_max_position_embeddings");
  EXPECT_EQ(object["trained"]["length"], 8192);
  EXPECT_EQ(object["target"]["length"], 131072);
  EXPECT_EQ(object["rope"]["pairs"][63]["unseen"], 0.5);  // factor 8 for a length 16 times as long
  EXPECT_EQ(named(object["rules"], "rule", "none")["pairs"][63]["unseen"], 0.9375);
  const outcome text = run("explain extrapolation --model llama-3.1-8b");
  EXPECT_NE(text.out.find("before its scaling rule was applied, asked for 131072"), std::string::npos)
      << text.out;
}

TEST(Extrapolation, LongropeTakesItsListForTheTarget) {
  const json object = measured("--model phi-3.5-mini --target 4097");
  EXPECT_EQ(object["model"]["seq_len"], 4097);
}

TEST(Extrapolation, ErrorsOfTheTableDoNotGrow) {
  const json lengths = measured("--model llama-2-7b --target 131072")["error"]["lengths"];
  ASSERT_EQ(lengths.size(), 2u);
  for (const json& length : lengths) EXPECT_LE(length["table"], 0x1p-25);
  EXPECT_GT(lengths[1]["angle_f32"].get<double>(), 8 * lengths[0]["angle_f32"].get<double>());
}

TEST(Extrapolation, NumbersThatGrowAreRoundedByMore) {
  const json rounded = measured("--model llama-2-7b --target 32768")["error"]["rounded"];
  EXPECT_EQ(named(rounded, "encoding", "integer")["bfloat16"],
            (json{8.0, 64.0}));  // half a unit below 2^12, 2^15
  for (const json& error : named(rounded, "encoding", "rope")["binary32"]) EXPECT_LE(error, 0x1p-25);
  EXPECT_TRUE(named(measured("--model llama-2-7b --target 2147483648")["error"]["rounded"], "encoding",
                    "xpos")["binary32"][1]
                  .is_null());
  EXPECT_EQ(named(measured("--model llama-2-7b --target 1048576")["error"]["rounded"], "encoding",
                  "xpos")["bfloat16"][1],
            "inf");
}

TEST(Extrapolation, TextSaysTheSame) {
  const outcome outcome = run("explain extrapolation --model llama-2-7b --target 32768");
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  for (const char* part : {"trained on 4096 positions (max_position_embeddings), asked for 32768 (--target)",
                           "46 of 64 pairs came full circle in training, 18 meet phases that are new",
                           "learned         no         87.5 %", "rules at factor 8"})
    EXPECT_NE(outcome.out.find(part), std::string::npos) << part << "\n" << outcome.out;
}

TEST(Extrapolation, WhatItCannotMeasureIsRefused) {
  const auto refusal = [](const std::string& arguments) {
    const outcome outcome = run("explain " + arguments);
    EXPECT_EQ(outcome.code, 2) << arguments;
    EXPECT_EQ(outcome.out, "");
    EXPECT_EQ(lines_of(outcome.err), 1) << outcome.err;
    return outcome.err;
  };
  EXPECT_NE(refusal("extrapolation --model llama-2-7b").find("target is missing; allowed: "),
            std::string::npos);
  EXPECT_NE(refusal("extrapolation --model llama-2-7b --target 4095").find("target is 4095; allowed: "),
            std::string::npos);
  EXPECT_NE(
      refusal("extrapolation --base 10000 --head-dim 64 --target 9").find("trained is missing; allowed: "),
      std::string::npos);
  EXPECT_NE(refusal("extrapolation --model gemma-3-4b --target 262144").find("trained is missing; allowed: "),
            std::string::npos);
  EXPECT_NE(
      refusal("extrapolation --model llama-2-7b --trained 0 --target 9").find("trained is 0; allowed: "),
      std::string::npos);
  EXPECT_NE(refusal("extrapolation --model llama-2-7b --target 9e9").find("target is 9e9; allowed: "),
            std::string::npos);
  EXPECT_NE(
      refusal("extrapolation --model llama-2-7b --target 8192 --seq-len 5").find("seq-len is 5; allowed: "),
      std::string::npos);
  EXPECT_NE(refusal("extrapolation --model llama-2-7b --target 8192 --positions 5")
                .find("no option named '--positions'"),
            std::string::npos);
  EXPECT_NE(refusal("config --model llama-2-7b --target 5").find("target is 5; allowed: only with"),
            std::string::npos);
}

}  // namespace
}  // namespace ropewalk::command
