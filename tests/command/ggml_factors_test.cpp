// Divisors of frequencies as ggml's rope_freqs holds them.

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "command/array_file.hpp"
#include "command/program.hpp"

namespace ropewalk::command {
namespace {

TEST(GgmlFactors, AreTheDivisorsOfTheRule) {
  const scratch_folder folder;
  const std::string which =
      "table ggml-factors --base 10000 --head-dim 8 --quiet --output " + folder / "g.npy";
  ASSERT_EQ(run(which).code, 0);
  EXPECT_EQ(elements<float>(folder / "g.npy"), (std::vector<std::uint32_t>(4, to_bits(1.0F))));
  ASSERT_EQ(run(which + R"( --dtype f16 --scaling '{"rope_type": "linear", "factor": 2049}')").code, 0);
  EXPECT_EQ(elements<binary16>(folder / "g.npy"), (std::vector<std::uint16_t>(4, 0x6800)));  // a tie, to even
}

TEST(GgmlFactors, SayThatGgmlMustNotScaleAgain) {
  const scratch_folder folder;
  ASSERT_EQ(run("table ggml-factors --model llama-3.1-8b --output " + folder / "g.npy").code, 0);
  const auto bits = elements<float>(folder / "g.npy");
  ASSERT_EQ(bits.size(), 64U);
  EXPECT_EQ(bits.front(), to_bits(1.0F));
  EXPECT_EQ(bits.back(), to_bits(8.0F));
  const auto record = nlohmann::json::parse(text_of(folder / "g.npy.json"));
  EXPECT_EQ(record["array"], "ggml_factors");
  EXPECT_FALSE(record.contains("positions"));
  EXPECT_NE(record["convention"].get<std::string>().find("freq_scale 1, ext_factor 0"), std::string::npos);
}

TEST(GgmlFactors, HaveDigitsAndCompare) {
  const std::string which = "table ggml-factors --base 10000 --head-dim 4 --quiet ";
  const std::string rule = R"(--scaling '{"rope_type": "linear", "factor": 0.1}' )";
  // The binary64 next to 0.1, exactly.
  const auto digits = nlohmann::json::parse(run(which + rule + "--format json --digits 30 --output -").out);
  EXPECT_EQ(digits["rows"][1]["ggml_factors"], "1.00000000000000005551115123126e-01");
  const scratch_folder folder;
  ASSERT_EQ(run(which + rule + "--output " + folder / "g.npy").code, 0);
  EXPECT_EQ(run(which + rule + "--compare " + folder / "g.npy").code, 0);
  EXPECT_EQ(run(which + "--compare " + folder / "g.npy").code, 1);
}

TEST(GgmlFactors, OfAPairThatStandsStillAreInfinite) {
  const std::string table =
      "table ggml-factors --base 1000000 --head-dim 8 --quiet --output - "
      R"(--scaling '{"rope_type": "proportional", "partial_rotary_factor": 0.5, "factor": 2}' )";
  for (const std::string digits : {"", "--digits 3 "}) {
    const auto rows = nlohmann::json::parse(run(table + digits + "--format json").out)["rows"];
    ASSERT_EQ(rows.size(), 4U);
    EXPECT_FALSE(rows[1]["ggml_factors"].is_null());
    EXPECT_TRUE(rows[2]["ggml_factors"].is_null());
    EXPECT_TRUE(rows[3]["ggml_factors"].is_null());
  }
  const std::string csv = run(table + "--digits 3 --format csv").out;
  EXPECT_TRUE(csv.ends_with("\n0,2.00e+00\n1,2.00e+00\n2,inf\n3,inf\n")) << csv;
}

TEST(GgmlFactors, OfLongropeAreTheListOfTheLength) {
  const std::string table = "table ggml-factors --model phi-3.5-mini --format json --quiet --output - ";
  const auto list = [&](const std::string& seq_len) {
    const auto record = nlohmann::json::parse(run(table + "--dtype f64 --seq-len " + seq_len).out);
    std::vector<double> divisors;
    for (const auto& row : record["rows"]) divisors.push_back(row["ggml_factors"]);
    return divisors;
  };
  EXPECT_EQ(list("4096").size(), 48U);
  EXPECT_EQ(list("4096"), list("1"));
  EXPECT_EQ(list("4097"), list("131072"));
  EXPECT_NE(list("4096"), list("4097"));
  EXPECT_EQ(list("4097").front(), 1.0800000429153442);  // long_factor[0] of the model's config.json
}

}  // namespace
}  // namespace ropewalk::command
