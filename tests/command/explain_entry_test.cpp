// ropewalk explain entry: how far each format's number is from the exact one, at the edges of formats.

#include <gtest/gtest.h>

#include <cmath>
#include <nlohmann/json.hpp>
#include <string>

#include "command/program.hpp"

namespace ropewalk::command {
namespace {

nlohmann::json entry(const std::string& words) {
  const outcome outcome = run("explain entry " + words + " --quiet --json");
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  return nlohmann::json::parse(outcome.out);
}

TEST(ExplainEntry, NoCorrectlyRoundedNumberIsOffByMoreThanHalfASpacing) {
  for (const std::string words :
       {"131071 40 --model qwen2.5-7b-yarn4", "1 63 --base 10000 --head-dim 128", "0 0 --model llama-3.1-8b",
        "1 32767 --base 1e300 --head-dim 65536", "-2147483648 3 --model gpt-j-6b",
        "2147483647 0 --base 10000 --head-dim 64 --scaling '{\"rope_type\":\"linear\",\"factor\":1e-150}'"}) {
    const nlohmann::json value = entry(words);
    for (const std::string number : {"inv_freq", "cos", "sin"})
      for (const auto& [dtype, rounded] : value[number]["formats"].items()) {
        if (rounded["value"] == "inf") continue;
        ASSERT_TRUE(rounded["ulps"].is_number()) << words << ' ' << number << ' ' << dtype << rounded;
        EXPECT_LE(rounded["ulps"].get<double>(), 0.5) << words << ' ' << number << ' ' << dtype;
      }
  }
}

TEST(ExplainEntry, DistancesAreInSpacingsOnTheExactNumbersSide) {
  // sin = -0.50157...: bfloat16 has the spacing 2^-8 from -0.5 on.
  const nlohmann::json sine = entry("131071 40 --model qwen2.5-7b-yarn4")["sin"];
  EXPECT_EQ(sine["formats"]["bf16"]["value"], "-0.5");
  EXPECT_NEAR(sine["formats"]["bf16"]["ulps"].get<double>(),
              256 * std::abs(std::stod(sine["exact"].get<std::string>()) + 0.5), 1e-9);
}

TEST(ExplainEntry, ANumberBeyondAFormatHasNoDistance) {
  const std::string scaling =
      "'{\"rope_type\":\"yarn\",\"factor\":4,\"original_max_position_embeddings\":512,"
      "\"attention_factor\":1e300}'";
  const std::string words = "1 0 --base 10000 --head-dim 64 --scaling " + scaling;
  const nlohmann::json value = entry(words)["cos"]["formats"];
  EXPECT_TRUE(value["f32"]["ulps"].is_null()) << value;
  EXPECT_LE(value["f64"]["ulps"].get<double>(), 0.5);
  EXPECT_NE(run("explain entry " + words + " --quiet").out.find("beyond the format"), std::string::npos);
}

}  // namespace
}  // namespace ropewalk::command
