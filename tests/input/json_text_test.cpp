// Untrusted JSON: every refusal says in one line what is wrong and where.

#include "input/json_text.hpp"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <string>

#include "input/bad_input.hpp"
#include "model/model.hpp"

namespace ropewalk::input::json_text_test {
namespace {

std::string refusal(const std::string& text) {
  try {
    model::parse_model(text, "x.json");
  } catch (const bad_input& error) {
    return error.what();
  }
  return "accepted";
}

struct refused_text {
  const char* text;
  const char* start;
};

constexpr refused_text refused_texts[] = {
    {"", "config is x.json (empty); allowed: one JSON object"},
    {" \n", "config is x.json (empty); allowed: one JSON object"},
    {R"({"model_type": "llama", "head_dim": 12)",
     "config is x.json (ends inside a value, after byte 38); allowed: "},
    {R"({"model_type": "lla)", "config is x.json (not JSON at byte "},
    {R"({"model_type": "llama"} x)", "config is x.json (not JSON at byte 25); allowed: "},
    {R"({'model_type': 1})", "config is x.json (not JSON at byte 2); allowed: "},
    {R"({"model_type": "llama", "head_dim": NaN})", "head_dim is \"NaN\"; allowed: "},
    {R"({"model_type": "llama", "head_dim": -Infinity})", "head_dim is \"-Infinity\"; allowed: "},
    {R"({"head_dim": nan})", "config is x.json (not JSON at byte "},
    {R"({"head_dim": 1e999})", "config is x.json (a number beyond binary64, "},
    {"{\"a\": \"\xff\"}", "config is x.json (not UTF-8 at byte 8); allowed: "},
    {"{\"a\": \"\xc0\xaf\"}", "config is x.json (not UTF-8 at byte "},
    {R"([1, 2])", "config is x.json (a JSON array); allowed: "},
    {R"(7)", "config is x.json (a JSON number); allowed: "},
    {R"({"head_dim": 128, "head_dim": 64})",
     "config is x.json (key head_dim twice in one object); allowed: "},
    {R"({"a": {"b": 1, "b": 1}})", "config is x.json (key b twice in one object); allowed: "},
    {R"({"head_dim": 128})", "model_type is missing; allowed: one of "},
    {R"({"model_type": 7, "head_dim": 128})", "model_type is 7; allowed: a string"},
    {R"({"model_type": "t5", "head_dim": 128})", "model_type is t5; allowed: "},
    {R"({"model_type": "gptj"})", "n_embd is missing; allowed: "},
    {R"({"model_type": "llama", "head_dim": "128"})", "head_dim is \"128\"; allowed: a whole number "},
    {R"({"model_type": "llama", "head_dim": true})", "head_dim is true; allowed: a whole number "},
    {R"({"model_type": "llama", "head_dim": 64.5})", "head_dim is 64.5; allowed: a whole number "},
    {R"({"model_type": "llama", "head_dim": 0})", "head_dim is 0; allowed: "},
    {R"({"model_type": "llama", "head_dim": -128})", "head_dim is -128; allowed: "},
    {R"({"model_type": "llama", "head_dim": 127})", "rotary_dim is 127; allowed: an even number "},
    {R"({"model_type": "llama", "head_dim": 131072})", "head_dim is 131072; allowed: "},
    {R"({"model_type": "llama", "head_dim": 99999999999999999999999})", "head_dim is "},
    {R"({"model_type": "llama", "hidden_size": 64, "num_attention_heads": 0})",
     "num_attention_heads is 0; allowed: "},
    {R"({"model_type": "llama", "hidden_size": 65, "num_attention_heads": 2})",
     "hidden_size is 65; allowed: a multiple"},
    {R"({"model_type": "llama", "head_dim": 64, "rope_theta": 1})", "rope_theta is 1; allowed: "},
    {R"({"model_type": "llama", "head_dim": 64, "rope_theta": "1e4"})", "rope_theta is \"1e4\"; allowed: "},
    {R"({"model_type": "llama", "head_dim": 64, "rope_theta": false})", "rope_theta is false; allowed: "},
    {R"({"model_type": "llama", "head_dim": 64, "rope_theta": []})", "rope_theta is []; allowed: "},
    {R"({"model_type": "llama", "head_dim": 64, "partial_rotary_factor": 0})",
     "partial_rotary_factor is 0; allowed: "},
    {R"({"model_type": "llama", "head_dim": 64, "partial_rotary_factor": 1.5})",
     "partial_rotary_factor is 1.5; "},
    {R"({"model_type": "nemotron", "head_dim": 64, "partial_rotary_factor": 0.01})",
     "rotary_dim is 0 = floor(head_dim 64 x 0.01); allowed: "},
    {R"({"model_type": "llama", "head_dim": 64, "max_position_embeddings": 0})",
     "max_position_embeddings is 0; "},
    {R"({"model_type": "llama", "head_dim": 64, "max_position_embeddings": 3e9})",
     "max_position_embeddings is "},
    {R"({"model_type": "llama", "head_dim": 64, "text_config": 3})",
     "text_config is 3; allowed: a JSON object"},
    {R"({"model_type": "llama", "head_dim": 64, "rope_parameters": {"sliding_attention": {}}})",
     "rope_parameters.full_attention is missing; allowed: sliding_attention"},
    {R"({"model_type": "gptj", "n_embd": 64, "n_head": 16, "rotary_dim": 64})",
     "rotary_dim is 64; allowed: "},
    {R"({"model_type": "gpt_neox", "hidden_size": 64, "num_attention_heads": 1, "rotary_pct": "half"})",
     "rotary_pct is \"half\"; allowed: "},
};

TEST(JsonText, EveryRefusalNamesFieldValueAndWhatIsAllowed) {
  for (const auto& refused : refused_texts) {
    const std::string said = refusal(refused.text);
    EXPECT_TRUE(said.starts_with(refused.start)) << refused.text << "\n" << said;
    EXPECT_NE(said.find("; allowed: "), std::string::npos) << said;
  }
}

TEST(JsonText, NothingHidesBehindANul) {
  const std::string hidden = std::string("{}") + '\0' + R"({"rope_theta": 7})";
  EXPECT_EQ(refusal(hidden).find("config is x.json (a NUL at byte 3); allowed: "), 0u);
}

TEST(JsonText, OtherEncodingsAreNamed) {
  using namespace std::string_literals;
  EXPECT_EQ(refusal("\xef\xbb\xbf{}"s).find("config is x.json (it begins with a byte order mark); "), 0u);
  EXPECT_EQ(refusal("\xff\xfe{\0}\0"s).find("config is x.json (it is UTF-16); "), 0u);
  EXPECT_EQ(refusal("{\0}\0"s).find("config is x.json (it is UTF-16); "), 0u);
  EXPECT_EQ(refusal("\0\0\xfe\xff"s).find("config is x.json (it is UTF-32); "), 0u);
}

TEST(JsonText, KeysOfOneObjectAreLimited) {
  const auto with_keys = [](std::size_t count) {
    std::string text = R"({"model_type": "llama", "head_dim": 64)";
    for (std::size_t i = 2; i < count; ++i) text += ", \"k" + std::to_string(i) + "\": 0";
    return text + "}";
  };
  EXPECT_EQ(refusal(with_keys(most_keys)), "accepted");
  EXPECT_EQ(refusal(with_keys(most_keys + 1)).find("config is x.json (more than 32768 keys in one object); "),
            0u);
}

TEST(JsonText, MillionBracketsAreRefusedWithoutRecursion) {
  EXPECT_TRUE(refusal(std::string(1000000, '['))
                  .starts_with("config is x.json (nested more than 64 deep); allowed: "));
  std::string objects;
  for (int i = 0; i < 100000; ++i) objects += "{\"a\":";
  EXPECT_TRUE(refusal(objects).starts_with("config is x.json (nested more than 64 deep); allowed: "));
}

TEST(JsonText, DeepestAllowedNestingIsAccepted) {
  const auto nested = [](int levels) {
    const auto count = static_cast<std::size_t>(levels);
    return R"({"model_type": "llama", "head_dim": 64, "a": )" + std::string(count, '[') +
           std::string(count, ']') + "}";
  };
  EXPECT_EQ(refusal(nested(deepest_config - 1)), "accepted");
  EXPECT_NE(refusal(nested(deepest_config)), "accepted");
  std::string beside = R"({"model_type": "llama", "head_dim": 64, "a": [[])";
  for (int i = 0; i < 2 * deepest_config; ++i) beside += ", []";
  EXPECT_EQ(refusal(beside + "]}"), "accepted");
}

TEST(JsonText, LargestAllowedSizeIsAccepted) {
  std::string text = R"({"model_type": "llama", "head_dim": 64})";
  text.resize(largest_config, ' ');
  EXPECT_EQ(refusal(text), "accepted");
  EXPECT_NE(refusal(text + " "), "accepted");
}

TEST(JsonText, RefusalStaysOnOneLineOfPlainText) {
  const std::string said =
      refusal(R"({"model_type": "a\u001b[31m\nb\u00e9)" + std::string(5000, 'x') + "\"}");
  EXPECT_EQ(said.find_first_of("\n\x1b"), std::string::npos) << said;
  EXPECT_LT(said.size(), 1000U);
  EXPECT_NE(said.find("\\x1b"), std::string::npos) << said;
}

}  // namespace
}  // namespace ropewalk::input::json_text_test
