// The command line as a contract: exit codes, one line for each refusal, help, version.

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <string>

#include "command/program.hpp"
#include "ropewalk/version.hpp"

namespace ropewalk::command {
namespace {

/// Exit 2, nothing on stdout, one line on stderr that begins so and says what is allowed.
void expect_refusal(const outcome& said, const std::string& start) {
  EXPECT_EQ(said.code, 2) << said.err;
  EXPECT_EQ(said.out, "");
  EXPECT_EQ(lines_of(said.err), 1) << said.err;
  EXPECT_TRUE(said.err.starts_with("ropewalk: " + start)) << said.err;
  EXPECT_NE(said.err.find("; allowed: "), std::string::npos) << said.err;
}

TEST(Usage, VersionAndHelp) {
  EXPECT_EQ(run("--version").out, std::string("ropewalk ") + version + "\n");
  const outcome help = run("--help");
  EXPECT_EQ(help.code, 0);
  EXPECT_NE(help.out.find("Examples:"), std::string::npos);
  EXPECT_NE(run("table --help").out.find("Examples:"), std::string::npos);
}

TEST(Usage, WhatDoesNotExistIsRefused) {
  expect_refusal(run(""), "command is missing");
  expect_refusal(run("nonsense"), "argument is nonsense");
  expect_refusal(run("--nonsense"), "argument is --nonsense");
  expect_refusal(run("models --nonsense"), "argument is --nonsense");
  expect_refusal(run("table inv-freq --base 10000 --head-dim 4 --output - --nonsense 3"),
                 "argument is --nonsense 3");
  expect_refusal(run("table nonsense --base 10000 --head-dim 4 --output -"), "kind is nonsense");
}

TEST(Usage, OptionsOfTableAreChecked) {
  const std::string table = "table inv-freq --base 10000 --head-dim 4 ";
  expect_refusal(run(table), "output is missing");
  expect_refusal(run(table + "--output - --dtype f8"), "dtype is f8");
  expect_refusal(run(table + "--output - --format xml"), "format is xml");
  expect_refusal(run(table + "--output - --format json --digits 0"), "digits is 0");
  expect_refusal(run(table + "--output - --format json --digits 1001"), "digits is 1001");
  expect_refusal(run(table + "--output - --digits 10"), "format is npy");
  expect_refusal(run(table + "--output - --format csv --digits 10 --dtype f32"), "dtype is f32");
  expect_refusal(run(table + "--output - --threads 0"), "threads is 0");
  expect_refusal(run(table + "--output - --threads two"), "threads is two");
  expect_refusal(run(table + "--output - --json"), "json is given");
  expect_refusal(run(table + "--output - --compare x.npy"), "output is -");
  expect_refusal(run(table + "--compare x.npy --format csv"), "format is csv");
  expect_refusal(run(table + "--compare /nonexistent.npy"), "compare is /nonexistent.npy");
  expect_refusal(run("table turns --base 10000 --head-dim 4 --output - --dtype f32"), "dtype is f32");
}

TEST(Usage, TheNameOfAnotherCommandIsNoCommandLaterOnTheLine) {
  expect_refusal(run("models guarantees"), "argument is guarantees");
  expect_refusal(run("table verify --output -"), "kind is verify");
  expect_refusal(run("table cos --base 10000 --head-dim 4 --output - guarantees"), "argument is guarantees");
  expect_refusal(run("explain config models"), "config is models");
  expect_refusal(run("guarantees --json --markdown"), "markdown is given");
}

TEST(Usage, NothingBehindAnEqualsSignIsEmptyNotTheNextWord) {
  const std::string table = "table inv-freq --base 10000 --head-dim 4 ";
  expect_refusal(run(table + "--output= --json"), "output is empty");
  expect_refusal(run(table + "--output - --format= csv"), "format is empty");
  expect_refusal(run("table inv-freq --model= --output -"), "model is empty");
}

TEST(Usage, ExactlyOneEncodingIsNeeded) {
  expect_refusal(run("table inv-freq --output -"), "which encoding is missing");
  expect_refusal(run("table inv-freq --output - --model llama-2-7b --model llama-3-8b"),
                 "which encoding is 2 encodings");
  expect_refusal(run("table inv-freq --output - --model llama-2-7b --base 10000 --head-dim 4"),
                 "which encoding is 2 ");
  expect_refusal(run("table inv-freq --output - --model llama-2-7b --scaling '{}'"), "scaling is {}");
  expect_refusal(run("table inv-freq --output - --model llama-2-7b --rotary-dim 4"), "rotary-dim is 4");
  expect_refusal(run("table inv-freq --output - --model llama-2-7b --pairing interleaved"),
                 "pairing is interleaved");
}

TEST(Usage, EncodingsByHandAreChecked) {
  const std::string table = "table inv-freq --output - ";
  expect_refusal(run(table + "--base 10000"), "head-dim is missing");
  expect_refusal(run(table + "--head-dim 4"), "base is missing");
  for (const std::string base : {"1", "0.5", "-3", "nan", "inf", "1e999", "ten", "0x10"})
    expect_refusal(run(table + "--head-dim 4 --base " + base), "base is " + base);
  expect_refusal(run(table + "--base 10000 --head-dim 0"), "head-dim is 0");
  expect_refusal(run(table + "--base 10000 --head-dim 5"), "rotary-dim is 5");
  expect_refusal(run(table + "--base 10000 --head-dim 4 --rotary-dim 3"), "rotary-dim is 3");
  expect_refusal(run(table + "--base 10000 --head-dim 4 --rotary-dim 0"), "rotary-dim is 0");
  expect_refusal(run(table + "--base 10000 --head-dim 4 --rotary-dim 6"), "rotary-dim is 6");
  expect_refusal(run(table + "--base 10000 --head-dim 4 --pairing split"), "pairing is split");
  expect_refusal(run(table + "--base 10000 --head-dim 4 --scaling '{'"), "scaling is { (ends inside a value");
  expect_refusal(run(table + "--base 10000 --head-dim 4 --scaling '{\"type\": \"dynamic\"}'"),
                 "scaling.max_position_embeddings is missing");
  expect_refusal(run(table + "--base 10000 --head-dim 2 --scaling '{\"type\": \"ntk\", \"factor\": 2}'"),
                 "rotary-dim is 2");
  expect_refusal(run(table + "--base 10000 --head-dim 4 --scaling '{\"type\": \"Yarn\"}'"),
                 "scaling.rope_type is Yarn");
}

TEST(Usage, PositionsOutsideInt32AreRefused) {
  const std::string table = "table cos --base 10000 --head-dim 4 --output - --positions ";
  for (const std::string positions : {"0", "-1", "2147483649", "-2147483649:0", "5:5", "5:4", "3:", ":3",
                                      "1:2:3", "--", "99999999999999999999", "5:99999999999999999999"})
    expect_refusal(run(table + "'" + positions + "'"), "positions is " + positions + "; allowed: ");
  expect_refusal(run(table + "/nonexistent.npy"), "positions is /nonexistent.npy (No such file");
}

TEST(Usage, BadConfigurationsAreRefused) {
  const scratch_folder folder;
  const auto table = [](const std::string& path) {
    return run("table inv-freq --output - --config '" + path + "'");
  };
  expect_refusal(table(folder / "missing.json"), "config is " + folder / "missing.json" + " (No such file");
  expect_refusal(table(folder / ""), "config is ");
  expect_refusal(table(folder.put("cut.json", R"({"model_type": "llama")")),
                 "config is " + folder / "cut.json" + " (ends");
  expect_refusal(table(folder.put("deep.json", std::string(1000000, '['))),
                 "config is " + folder / "deep.json" + " (nested");
  expect_refusal(table(folder.put("latin.json", "{\"model_type\": \"\xe9\"}")),
                 "config is " + folder / "latin.json" + " (not UTF-8");
  expect_refusal(table(folder.put("other.json", "hello")),
                 "config is " + folder / "other.json" + " (not JSON");
  const std::string large = folder.put("large.json", "");
  std::filesystem::resize_file(large, 100'000'000);
  expect_refusal(table(large), "config is " + large + " (100000000 bytes)");
  expect_refusal(run("table inv-freq --output - --config - </dev/zero"),
                 "config is - (more than 16777216 bytes)");
}

TEST(Usage, ConfigurationComesFromAFolderOrStandardInput) {
  const scratch_folder folder;
  folder.put("config.json", R"({"model_type": "llama", "head_dim": 4})");
  const std::string expected = run("table inv-freq --base 10000 --head-dim 4 --output - --quiet").out;
  EXPECT_EQ(run("table inv-freq --quiet --output - --config " + folder / "").out, expected);
  EXPECT_EQ(run("table inv-freq --quiet --output - --config - <" + folder / "config.json").out, expected);
  EXPECT_FALSE(expected.empty());
}

TEST(Usage, WhatWasUnderstoodIsOneLineOnStderr) {
  const std::string table = "table inv-freq --model gpt-j-6b --output /dev/null ";
  EXPECT_EQ(run(table).err,
            "gpt-j-6b: rotary_dim 64 of head_dim 256, base 10000, interleaved, rule default\n");
  EXPECT_EQ(run(table + "--quiet").err, "");
  EXPECT_NE(run(table + "--verbose").err.find("rotary_dim 64: rotary_dim"), std::string::npos);
}

TEST(Usage, OutputsThatCannotBeWrittenAreRefused) {
  const scratch_folder folder;
  const auto table = [](const std::string& path) {
    return run("table cos --model llama-2-7b --output '" + path + "'");
  };
  expect_refusal(table(folder / "no/such"),
                 "output is " + folder / "no/such" + " (No such file or directory)");
  expect_refusal(table(folder / ""), "output is " + folder / "" + " (a directory)");
  expect_refusal(table("/dev/full"), "output is /dev/full (No space left on device)");
  expect_refusal(run("models", "", "/dev/full"), "stdout is not writable");
}

TEST(Usage, FullDeviceLeavesNoFile) {
  const scratch_folder folder;
  const outcome said = run("table cos --model llama-2-7b --output " + folder / "cos.npy", "ulimit -f 100;");
  expect_refusal(said, "output is " + folder / "cos.npy" + " (File too large)");
  EXPECT_EQ(folder.entries(), 0);
}

TEST(Models, ListsEveryModelAsTextAndAsJson) {
  const auto list = nlohmann::json::parse(run("models --json").out);
  EXPECT_GE(list.size(), 24U);
  const outcome text = run("models");
  EXPECT_EQ(lines_of(text.out), static_cast<std::ptrdiff_t>(list.size()) + 2);  // a heading and a legend
  bool is_listed = false;
  for (const auto& one : list) {
    EXPECT_NE(text.out.find("\n" + one["name"].get<std::string>() + " "), std::string::npos) << one["name"];
    if (one["name"] != "llama-3.1-8b") continue;
    is_listed = true;
    EXPECT_EQ(one["rope_scaling"]["rope_type"], "llama3");
    EXPECT_EQ(one["rotary_dim"], 128);
  }
  EXPECT_TRUE(is_listed);
}

TEST(Models, PrintsNoColourWhereThereIsNoTerminal) {
  EXPECT_EQ(run("models", "TERM=xterm").out.find('\x1b'), std::string::npos);
  EXPECT_EQ(run("nonsense", "TERM=xterm").err.find('\x1b'), std::string::npos);
}

}  // namespace
}  // namespace ropewalk::command
