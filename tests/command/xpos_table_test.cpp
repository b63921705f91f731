// Tables of xPos: witnesses, layouts, defaults, and what is refused.

#include <gtest/gtest.h>

#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "command/array_file.hpp"
#include "command/program.hpp"
#include "ropewalk/table/xpos_rows.hpp"

namespace ropewalk::command {
namespace {

template <floating_format Float>
std::vector<bits_of<Float>> xpos_table(const std::string& options) {
  const scratch_folder folder;
  const outcome outcome = run("table xpos " + options + " --quiet --dtype " + format<Float>::name +
                              " --output " + folder / "t.npy");
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  return elements<Float>(folder / "t.npy");
}

TEST(XposTable, HoldsKnownNumbers) {
  const std::string of_four = "--rotary-dim 4 --layout vllm ";
  // z^(1 / 512) cos 1, ... of z = 2/7 and 9/14, by another program in 60 digits.
  EXPECT_EQ(xpos_table<float>(of_four + "--side query --length 0 --positions 1:2"),
            (std::vector<std::uint32_t>{0x3f09fab8, 0x3f7fc432, 0x3f56e3e0, 0x3c23b22a}));
  EXPECT_EQ(xpos_table<float>(of_four + "--side key --length 0 --positions 1:2")[0], 0x3f0aa7ffU);
  const auto key = xpos_table<float>(of_four + "--side key --scale-base 2 --length 8 --positions 7:8");
  EXPECT_EQ((std::vector<std::uint32_t>{key[1], key[3]}),
            (std::vector<std::uint32_t>{0x3ff7ba1e, 0x3e0af444}));
  const auto last = xpos_table<float>(
      "--rotary-dim 64 --layout vllm --side query --length 0 --scale-base 1048576 "
      "--positions 2147483647:2147483648");
  EXPECT_EQ((std::vector<std::uint32_t>{last[31], last[63]}),
            (std::vector<std::uint32_t>{0x9e151cca, 0x1d4d4a99}));
}

TEST(XposTable, ScaleAloneStandsAtPositionZero) {
  // (2/7)^(-512 / 512), and its reciprocal for keys.
  const std::string options = "--rotary-dim 4 --layout complex --length 1024 --positions 1 ";
  EXPECT_EQ(xpos_table<float>(options + "--side query")[0], to_bits(3.5F));
  EXPECT_EQ(xpos_table<float>(options + "--side key")[0], to_bits(2.0F / 7));
  EXPECT_EQ(xpos_table<float>(options + "--side key")[1], 0U) << "sin 0 is +0";
}

template <floating_format Float>
void expect_library_rows(xpos_side side) {
  const xpos config{.base = 500, .rotary_dim = 6, .scale_base = 3, .length = 7};
  const auto made =
      xpos_table<Float>(std::string("--base 500 --rotary-dim 6 --scale-base 3 --length 7 --layout vllm "
                                    "--positions=-40:41 --threads 2 --side ") +
                        name_of(side));
  std::size_t at = 0;
  for (std::int64_t position = -40; position < 41; ++position) {
    const auto row = xpos_row<Float>(position, side, config);
    for (const auto& entry : row) EXPECT_EQ(made[at++], entry.cos) << position;
    for (const auto& entry : row) EXPECT_EQ(made[at++], entry.sin) << position;
  }
  EXPECT_EQ(at, made.size());
}

TEST(XposTable, RowsAreTheLibrarysInEveryFormat) {
  for (const xpos_side side : {xpos_side::query, xpos_side::key})
    for_each_format([&]<class Float>() { expect_library_rows<Float>(side); });
}

TEST(XposTable, LayoutsHoldTheSameNumbers) {
  const std::string options = "--rotary-dim 4 --side query --positions 3 --layout ";
  const auto vllm = xpos_table<float>(options + "vllm"), complex = xpos_table<float>(options + "complex"),
             hf = xpos_table<float>(options + "hf");
  for (std::size_t position = 0; position < 3; ++position)
    for (std::size_t pair = 0; pair < 2; ++pair) {
      const std::uint32_t cos = vllm[4 * position + pair], sin = vllm[4 * position + 2 + pair];
      EXPECT_EQ(complex[4 * position + 2 * pair], cos);
      EXPECT_EQ(complex[4 * position + 2 * pair + 1], sin);
      for (const std::size_t channel : {2 * pair, 2 * pair + 1}) {  // interleaved, as torchscale
        EXPECT_EQ(hf[4 * position + channel], cos);
        EXPECT_EQ(hf[12 + 4 * position + channel], sin);
      }
    }
}

TEST(XposTable, LengthIsTheLargestPositionPlusOneUnlessTheUserSays) {
  const std::string options = "--rotary-dim 4 --side key --layout vllm --positions 2:9 ";
  EXPECT_EQ(xpos_table<float>(options), xpos_table<float>(options + "--length 9"));
  EXPECT_NE(xpos_table<float>(options), xpos_table<float>(options + "--length 7"));
}

TEST(XposTable, RecordSaysSideAndConvention) {
  const auto record = nlohmann::json::parse(
      run("table xpos --rotary-dim 4 --side key --layout hf --positions 2 --quiet --format json --output -")
          .out);
  EXPECT_EQ(record["encoding"], (nlohmann::json{{"name", "xpos"},
                                                {"side", "key"},
                                                {"base", 10000.0},
                                                {"rotary_dim", 4},
                                                {"scale_base", 512},
                                                {"length", 2}}));
  EXPECT_EQ(record["layout"], "hf");
  EXPECT_NE(record["convention"].get<std::string>().find("z^(-(position - ceil(length / 2)) / scale_base)"),
            std::string::npos);
}

TEST(XposTable, DigitsAreThoseOfTheReference) {
  const auto rows =
      nlohmann::json::parse(run("table xpos --rotary-dim 4 --side query --length 0 --positions 2 "
                                "--layout vllm --quiet --format json --digits 30 --output -")
                                .out)["rows"];
  EXPECT_EQ(rows[0]["xpos"][0], "1.00000000000000000000000000000e+00");
  EXPECT_EQ(rows[1]["xpos"],
            (nlohmann::json{"5.38981908776316132441338699163e-01", "9.99087461189361984180352768086e-01",
                            "8.39414588177478587190464122723e-01", "9.99120765436905499023191790627e-03"}));
}

TEST(XposTable, ComparisonsAreOfCorrectRoundingAlone) {
  const scratch_folder folder;
  const std::string line = "table xpos --rotary-dim 4 --side key --layout hf --positions 9 --quiet ";
  ASSERT_EQ(run(line + "--output " + folder / "t.npy").code, 0);
  EXPECT_EQ(run(line + "--compare " + folder / "t.npy").code, 0);
  move_entry<std::uint32_t>(folder / "t.npy", 5 * 4 + 1, 3);
  const outcome compared = run(line + "--compare " + folder / "t.npy");
  EXPECT_EQ(compared.code, 1);
  EXPECT_NE(compared.out.find("3 ulp at position 5, pair 0, cos\n"), std::string::npos) << compared.out;
  const outcome promised = run(line + "--promise hf --compare " + folder / "t.npy");
  EXPECT_EQ(promised.code, 2);
  EXPECT_NE(promised.err.find("promise is hf; allowed: none for xpos"), std::string::npos) << promised.err;
}

TEST(XposTable, OptionsAreChecked) {
  const auto refused = [](const std::string& options, const std::string& start) {
    const scratch_folder folder;
    const outcome outcome = run("table xpos " + options + " --output " + folder / "t.npy");
    EXPECT_EQ(outcome.code, 2) << options;
    EXPECT_TRUE(outcome.err.starts_with("ropewalk: " + start)) << outcome.err;
    EXPECT_EQ(lines_of(outcome.err), 1) << outcome.err;
    EXPECT_EQ(folder.entries(), 0) << options;
  };
  refused("", "layout is missing; allowed: vllm, hf, complex for xpos");
  refused("--layout vllm", "side is missing; allowed: query, key");
  refused("--layout vllm --side both", "side is both; allowed: query, key");
  const std::string some = "--layout vllm --side key ";
  refused(some, "rotary-dim is missing;");
  for (const std::string dim : {"0", "5", "-2", "65538", "x"})
    refused(some + "--rotary-dim=" + dim, "rotary-dim is " + dim + ";");
  for (const std::string scale_base : {"0", "1048577", "x"})
    refused(some + "--rotary-dim 4 --scale-base=" + scale_base, "scale-base is " + scale_base + ";");
  for (const std::string length : {"-1", "2147483649", "x"})
    refused(some + "--rotary-dim 4 --length=" + length, "length is " + length + ";");
  refused(some + "--rotary-dim 4 --base 1", "base is 1;");
  refused(some + "--rotary-dim 4 --positions-f64 x.npy", "positions-f64 is x.npy; allowed: none for xpos");
  refused(
      some + "--rotary-dim 4 --scale-base 1 --length 0 --positions 2147483647:2147483648",
      "positions is 2147483647:2147483648 (position 2147483647); allowed: positions from -524288 to 524288");
}

}  // namespace
}  // namespace ropewalk::command
