// The command line as a contract: exit codes, one line for each refusal, help, version.

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <string>

#include "command/program.hpp"
#include "ropewalk/version.hpp"

namespace ropewalk::command {
namespace {

/// Exit 2, nothing on stdout, one line of less than 200 characters on stderr that begins with `start` and
/// says what is allowed: a name that is not known is answered with names that are.
void expect_refusal(const outcome& outcome, const std::string& start) {
  EXPECT_EQ(outcome.code, 2) << outcome.err;
  EXPECT_EQ(outcome.out, "");
  EXPECT_EQ(lines_of(outcome.err), 1) << outcome.err;
  EXPECT_LE(outcome.err.size(), 200u) << outcome.err;
  EXPECT_TRUE(outcome.err.starts_with("ropewalk: " + start)) << outcome.err;
  if (start.starts_with("no "))
    EXPECT_TRUE(outcome.err.find("'; did you mean '") != std::string::npos ||
                outcome.err.find("s: ") != std::string::npos ||
                outcome.err.find(" lists all ") != std::string::npos)
        << outcome.err;
  else
    EXPECT_NE(outcome.err.find("; allowed: "), std::string::npos) << outcome.err;
}

TEST(Usage, VersionAndHelp) {
  EXPECT_EQ(run("--version").out, std::string("ropewalk ") + version + "\n");
  const outcome help = run("--help");
  EXPECT_EQ(help.code, 0);
  EXPECT_NE(help.out.find("Examples:"), std::string::npos);
  EXPECT_NE(run("table --help").out.find("Examples:"), std::string::npos);
  EXPECT_EQ(run("-V").out, run("--version").out);
  EXPECT_EQ(run("help").out, help.out);
  EXPECT_EQ(run("help table").out, run("table --help").out);
  expect_refusal(run("help tabel"), "no command named 'tabel'; did you mean 'table'?");
}

TEST(Usage, WhatDoesNotExistIsRefused) {
  const outcome bare = run("");
  EXPECT_EQ(bare.code, 2);
  EXPECT_EQ(bare.out, "");
  EXPECT_TRUE(bare.err.starts_with("ropewalk: command is missing; allowed: one of those below\n"))
      << bare.err;
  EXPECT_NE(bare.err.find("\n  verify "), std::string::npos) << bare.err;
  expect_refusal(run("verfy"), "no command named 'verfy'; did you mean 'verify'? commands: verify, table");
  expect_refusal(run("verify --theta 3"), "no option named '--theta'; `ropewalk verify --help` lists all");
  expect_refusal(run("verify --promise canoncial"),
                 "no promise named 'canoncial'; did you mean 'canonical'?");
  expect_refusal(run("nonsense"), "no command named 'nonsense'; commands: verify, table");
  expect_refusal(run("--nonsense"), "no option named '--nonsense'");
  expect_refusal(run("models --nonsense"), "no option named '--nonsense'");
  expect_refusal(run("verify --modle x"), "no option named '--modle'; did you mean '--model'");
  expect_refusal(run("verify --kernel cpu-tabel"), "no kernel named 'cpu-tabel'; did you mean 'cpu-table'");
  expect_refusal(run("explain config --model nope"), "no model named 'nope'; `ropewalk models` lists all ");
  expect_refusal(run("explain config --model llama3.1"),
                 "no model named 'llama3.1'; did you mean 'llama-3.1-8b'?");
  expect_refusal(run("explain config --model " + std::string(500, 'x')), "no model named 'xxx");
  expect_refusal(run("explain config /" + std::string(500, 'x')), "config is /xxx");
  expect_refusal(run("table inv-freq --base 10000 --head-dim 4 --output - --nonsense 3"),
                 "no option named '--nonsense'");
  expect_refusal(run("table nonsense --base 10000 --head-dim 4 --output -"),
                 "no kind named 'nonsense'; `ropewalk table --help` lists all");
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
  expect_refusal(run("table verify --output -"), "no kind named 'verify'");
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

TEST(Usage, FlagsTakeNoValue) {
  for (const std::string value : {"5", "false", "true", "xyz"})
    expect_refusal(run("models --json=" + value), "json is " + value + "; allowed: no value");
  expect_refusal(run("models --json="), "json is empty; allowed: no value");
  expect_refusal(run("models --help=3"), "help is 3; allowed: no value");
  expect_refusal(run("models -h=3"), "help is 3; allowed: no value");
  expect_refusal(run("--verbose=3 models"), "verbose is 3; allowed: no value");
  expect_refusal(run("--verbose=3 bench"), "verbose is 3; allowed: no value");
  // The value of an option may look like a flag that has a value.
  expect_refusal(run("table cos --output --json=5"), "which encoding is missing");
}

TEST(Usage, NothingIsAnOptionBehindTwoDashes) {
  expect_refusal(run("table -- cos --base 10000"), "argument is --base; allowed: options before --");
  expect_refusal(run("models -- --verbose"), "argument is --verbose; allowed: options before --");
  expect_refusal(run("verify --law norm -- --json"), "argument is --json; allowed: options before --");
  expect_refusal(run("-- models"), "argument is --; allowed: only after a command");
  expect_refusal(run("explain config -- --nonsense.json"), "config is --nonsense.json");
  EXPECT_EQ(run("models --").code, 0);
  EXPECT_EQ(run("explain -- law accuracy").code, 0);
}

TEST(Usage, ArgumentsTooManyAreNamed) {
  expect_refusal(run("models foo"), "argument is foo; allowed: none here; see `ropewalk models --help`");
  expect_refusal(run("models ''"), "argument is empty; allowed: none here");
  expect_refusal(run("explain entry 1 2 3"),
                 "argument is 3; allowed: none here; see `ropewalk explain --help`");
  expect_refusal(run("explain law x y"), "argument is y; allowed: none here; see `ropewalk explain --help`");
  expect_refusal(run("verify --model gpt-j-6b llama-2-7b"), "subject is llama-2-7b; allowed: FILE.so, ");
}

TEST(Usage, OptionsOfOneWordLeaveTheNextToTheArguments) {
  EXPECT_EQ(run("explain entry --model gpt-j-6b 1 2").out, run("explain entry 1 2 --model gpt-j-6b").out);
  EXPECT_EQ(run("explain entry --model gpt-j-6b -1 2").code, 0);
}

TEST(Usage, NoOptionIsSuggestedTwice) {
  expect_refusal(run("models --jsn"),
                 "no option named '--jsn'; did you mean '--json'? options: --help, --json, --version, "
                 "--verbose, --quiet");
}

TEST(Usage, NamesJoinedByCommasAreShownApart) {
  expect_refusal(run("verify --law a,b"), "law is a,b; allowed: one name each: --law a b");
  expect_refusal(run("verify --dtype f32,f16"), "dtype is f32,f16; allowed: one name each: --dtype f32 f16");
  expect_refusal(run("verify --kernel a,b"), "kernel is a,b; allowed: one name each: --kernel a b");
  expect_refusal(run("verify --model a,b"), "model is a,b; allowed: one name each: --model a --model b");
  std::string many;
  for (int i = 0; i < 60; ++i) many += "norm,";
  expect_refusal(run("verify --law " + many), "law is norm,norm,");
}

TEST(Usage, ListOfVerifyTakesNoOtherOptions) {
  expect_refusal(run("verify --list --seed nope"), "seed is nope; allowed: only without --list");
  for (const std::string option :
       {"dtype", "law", "skip-law", "fail-on", "report", "promise", "target", "positions", "cases",
        "environment", "budget", "threads", "device", "model", "config", "base", "pairing"})
    expect_refusal(run("verify --list --" + option + " nope"),
                   option + " is nope; allowed: only without --list");
  for (const std::string flag : {"allow-declined", "allow-cut", "require-vulkan"})
    expect_refusal(run("verify --list --" + flag), flag + " is given; allowed: only without --list");
  EXPECT_EQ(run("verify --list --json --quiet").code, 0);
  EXPECT_EQ(run("verify --list --kernel exact").out.substr(0, 5), "exact");
  EXPECT_EQ(run("verify --list --kernel nope").code, 2);
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
  expect_refusal(run(table + "/nonexistent.npy"), "positions is /nonexistent.npy (no such file)");
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
  expect_refusal(table(large), "config is " + large + " (95.4 MiB)");
  expect_refusal(run("table inv-freq --output - --config - </dev/zero"), "config is - (more than 16 MiB)");
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
  const outcome outcome =
      run("table cos --model llama-2-7b --output " + folder / "cos.npy", "ulimit -f 100;");
  expect_refusal(outcome, "output is " + folder / "cos.npy" + " (File too large)");
  EXPECT_EQ(folder.entries(), 0);
}

TEST(Models, ListsEveryModelAsTextAndAsJson) {
  const auto list = nlohmann::json::parse(run("models --json").out);
  EXPECT_GE(list.size(), 24U);
  const outcome text = run("models");
  constexpr int others = 13;  // four headings, four empty lines and a legend of five
  EXPECT_EQ(lines_of(text.out), static_cast<std::ptrdiff_t>(list.size()) + others);
  const std::size_t types_begin = text.out.find("\n\nmodel types, by the defaults of their classes");
  ASSERT_NE(types_begin, std::string::npos);
  const std::size_t images_begin = text.out.find("\n\nmodels of images and videos");
  ASSERT_NE(images_begin, std::string::npos);
  std::size_t types = 0, images = 0;
  bool is_listed = false;
  for (const auto& first : list) {
    const std::size_t at = text.out.find("\n" + first["name"].get<std::string>() + " ");
    ASSERT_NE(at, std::string::npos) << first["name"];
    const bool is_image = first.contains("grid"), is_type = !is_image && first["name"] == first["model_type"];
    EXPECT_EQ(at > images_begin, is_image) << first["name"];
    EXPECT_EQ(at > types_begin && at < images_begin, is_type) << first["name"];
    types += is_type ? 1 : 0;
    images += is_image ? 1 : 0;
    if (first["name"] != "llama-3.1-8b") continue;
    is_listed = true;
    EXPECT_EQ(first["rope_scaling"]["rope_type"], "llama3");
    EXPECT_EQ(first["rotary_dim"], 128);
  }
  EXPECT_TRUE(is_listed);
  EXPECT_NE(text.out.find("\n" + std::to_string(list.size() - types - images) + " models and " +
                          std::to_string(types) + " types; " + std::to_string(images) +
                          " models of images and videos. "),
            std::string::npos);
}

TEST(Models, PrintsNoColourWhereThereIsNoTerminal) {
  EXPECT_EQ(run("models", "TERM=xterm").out.find('\x1b'), std::string::npos);
  EXPECT_EQ(run("nonsense", "TERM=xterm").err.find('\x1b'), std::string::npos);
}

}  // namespace
}  // namespace ropewalk::command
