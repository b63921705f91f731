// Files for other projects: same command, same bytes; names; what is refused, and that nothing is left
// behind.

#include <gtest/gtest.h>

#include <filesystem>
#include <string>

#include "command/program.hpp"

namespace ropewalk::command {
namespace {

const std::string small = "--base 10000 --head-dim 4 --quiet ";

TEST(TableFormats, SameCommandGivesTheSameBytesForAnyNumberOfThreads) {
  const std::string table = "table cos-sin --layout vllm --model llama-3.2-1b --positions -600:1201 --quiet ";
  for (const std::string format : {"npz", "safetensors", "gguf", "c", "glsl", "python", "rust"}) {
    const std::string command = table + "--output - --format " + format;
    // The record holds the command line, so the number of threads comes from the machine's own.
    const std::string name = run(command, "taskset -c 0").out;
    EXPECT_GT(name.size(), 1801U * 64 * 4) << format;
    EXPECT_EQ(run(command).out, name) << format;
    EXPECT_EQ(run(command, "sleep 1.1;").out, name) << format << ": the time of day is not in it";
  }
}

TEST(TableFormats, APipeGetsWhatAFileGets) {
  for (const std::string format : {"npz", "safetensors", "gguf", "c", "glsl", "python", "rust"}) {
    const scratch_folder folder;
    const std::string line =
        "table sin " + small + "--positions 9 --format " + format + " --output /dev/stdout";
    const std::string piped = run(line + " | cat").out;
    const std::string file = folder / "t";
    ASSERT_EQ(run(line, "", file).code, 0);
    EXPECT_EQ(text_of(file), piped) << format;
    EXPECT_GT(piped.size(), 0U) << format;
  }
}

TEST(TableFormats, ArraysAreNamedAfterTheirKindUnlessTheUserSays) {
  const auto text = [](const std::string& options) {
    return run("table cos " + small + "--positions 2 --output - " + options).out;
  };
  EXPECT_NE(text("--format c").find("float ropewalk_cos[2][2] = {"), std::string::npos);
  EXPECT_NE(text("--format c --name llama_cos").find("float llama_cos[2][2] = {"), std::string::npos);
  EXPECT_NE(text("--format glsl").find("const float ropewalk_cos[2][2] = float[2][2]("), std::string::npos);
  EXPECT_NE(text("--format glsl --dtype f64").find("const double ropewalk_cos"), std::string::npos);
  EXPECT_NE(text("--format python").find("\nropewalk_cos = [\n    [float.fromhex('0x1p+0'), "),
            std::string::npos);
  EXPECT_NE(text("--format rust").find("\npub static ropewalk_cos: [[f32; 2]; 2] = [\n    [1.0, 1.0],"),
            std::string::npos);
  EXPECT_NE(text("--format safetensors").find(R"("cos":{"dtype":"F32","shape":[2,2])"), std::string::npos);
  EXPECT_NE(text("--format safetensors --name rope.cos").find(R"("rope.cos":{)"), std::string::npos);
  EXPECT_NE(text("--format npz").find("cos.npy"), std::string::npos);
  EXPECT_NE(text("--format npz --name one").find("one.npy"), std::string::npos);
}

TEST(TableFormats, EveryFormatIsListed) {
  const std::string help = run("table --help").out;
  const std::string refused = run("table cos " + small + "--output - --format h").err;
  EXPECT_NE(refused.find("format is h; allowed: "), std::string::npos) << refused;
  for (const std::string format :
       {"npy", "npz", "safetensors", "gguf", "json", "csv", "c", "glsl", "python", "rust"}) {
    EXPECT_NE(help.find(" " + format), std::string::npos) << format;
    EXPECT_NE(refused.find(" " + format), std::string::npos) << format;
  }
}

/// What a refused command says, in a folder that must stay empty.
void expect_refused(const std::string& options, const std::string& said) {
  const scratch_folder folder;
  const outcome ended = run("table " + options + " --output " + folder / "t");
  EXPECT_EQ(ended.code, 2) << options;
  EXPECT_NE(ended.err.find(said), std::string::npos) << ended.err;
  EXPECT_EQ(lines_of(ended.err), 1) << ended.err;
  EXPECT_EQ(folder.entries(), 0) << options;
}

TEST(TableFormats, NamesThatAreNoIdentifiersAreRefused) {
  const std::string long_name(64, 'a');
  for (const std::string name :
       {"1st", "a-b", "a.b", "_a", "a_", "a__b", "float", "linux", "printf", "vec4", "cos", "gl_cos",
        "lambda", "impl", "uint32_t", "'a b'", "'*/'", "ö", long_name.c_str()})
    for (const std::string format : {"c", "glsl", "python", "rust"})
      expect_refused("cos " + small + "--format " + format + " --name " + name, "name is ");
  for (const std::string name : {".hidden", "../up", "a/b", "'a b'", "__metadata__", long_name.c_str()})
    for (const std::string format : {"npz", "safetensors", "gguf"})
      expect_refused("cos " + small + "--format " + format + " --name " + name, "name is ");
  expect_refused("cos " + small + "--format npz --name record", "npz reserves the name record");
  for (const std::string format : {"npy", "json", "csv"})
    expect_refused("cos " + small + "--format " + format + " --name a", "name is a; allowed: none");
}

TEST(TableFormats, WhatAFormatCannotHoldIsRefused) {
  for (const std::string format : {"npz", "safetensors", "gguf", "c", "glsl", "python", "rust"}) {
    expect_refused("cos " + small + "--digits 9 --format " + format,
                   "format is " + format + "; allowed: json, csv");
    expect_refused("turns " + small + "--dtype f32 --format " + format,
                   "dtype is f32; allowed: none for turns");
    expect_refused("cos-sin --layout complex " + small + "--dtype bf16 --format " + format,
                   "dtype is bf16; allowed: f64, f32");
    expect_refused("cos --base 0 --head-dim 4 --format " + format, "base is 0; allowed: ");
  }
  expect_refused("cos " + small + "--dtype f64 --positions 0:2000000000 --format npz",
                 "format is npz of 29.8 GiB; allowed: at most ");
}

TEST(TableFormats, GgufHasNoUnsignedWords) {
  expect_refused("turns " + small + "--format gguf",
                 "format is gguf; allowed: another format for turns, whose u32 gguf lacks");
}

TEST(TableFormats, ATableThatTheDiskCannotHoldIsNotBegun) {
  const scratch_folder folder;
  const std::string huge =
      "table cos --base 10000 --head-dim 65536 --positions -2147483648:2147483648 --quiet";
  for (const std::string name : {"t.npy", "t.safetensors", "t.gguf", "t.csv", "t.h"}) {
    const outcome outcome = run(huge + " --output " + folder / name);
    EXPECT_EQ(outcome.code, 2) << name;
    EXPECT_NE(outcome.err.find("TiB); allowed: a path with enough space; "), std::string::npos)
        << outcome.err;
    EXPECT_FALSE(std::filesystem::exists(folder / name));
  }
}

TEST(TableFormats, NoInputIsOverwritten) {
  const scratch_folder folder;
  const std::string config = R"({"model_type": "llama", "head_dim": 4, "rope_theta": 10000.0})";
  for (const std::string name : {"config.npy", "config.csv"}) {
    folder.put(name, config);
    const outcome outcome =
        run("table cos --config " + folder / name + " --positions 2 --quiet --output " + folder / name);
    EXPECT_EQ(outcome.code, 2) << name;
    EXPECT_NE(outcome.err.find("an input"), std::string::npos) << outcome.err;
    EXPECT_EQ(text_of(folder / name), config);
  }
}

TEST(TableFormats, AComparisonHasNoName) {
  const scratch_folder folder;
  ASSERT_EQ(run("table cos " + small + "--positions 2 --output " + folder / "c.npy").code, 0);
  const outcome outcome = run("table cos " + small + "--positions 2 --name a --compare " + folder / "c.npy");
  EXPECT_EQ(outcome.code, 2);
  EXPECT_NE(outcome.err.find("name is a; allowed: only without --compare"), std::string::npos) << outcome.err;
}

TEST(TableFormats, AnUnknownSuffixNeedsAFormat) {
  for (const std::string name : {"t.foo", "t.NPZ", "t.txt"}) {
    const scratch_folder folder;
    const std::string written = "table cos " + small + "--positions 2 --output " + folder / name;
    const outcome outcome = run(written);
    EXPECT_EQ(outcome.code, 2) << name;
    EXPECT_NE(outcome.err.find("; allowed: a name that ends in .npy"), std::string::npos) << outcome.err;
    EXPECT_EQ(folder.entries(), 0) << name;
    EXPECT_EQ(run(written + " --format csv").code, 0) << name;
  }
  const scratch_folder folder;
  EXPECT_EQ(run("table cos " + small + "--positions 2 --output " + folder / "plain").code, 0);
}

TEST(TableFormats, AFullDeviceIsRefused) {
  for (const std::string format : {"npz", "safetensors", "gguf", "c", "glsl", "python", "rust"}) {
    const outcome ended = run("table cos " + small + "--format " + format + " --output /dev/full");
    EXPECT_EQ(ended.code, 2) << format;
    EXPECT_NE(ended.err.find("output is /dev/full"), std::string::npos) << ended.err;
  }
}

TEST(TableFormats, NothingInARecordEndsItsComment) {
  const scratch_folder folder;
  std::filesystem::create_directory(folder / "a\n*");
  const std::string model = folder.put("a\n*/b\\", R"({"model_type":"llama","rope_theta":10000,"head_dim":4,)"
                                                   R"("max_position_embeddings":8})");
  for (const std::string format : {"c", "glsl", "python", "rust"}) {
    const outcome ended =
        run("table inv-freq --quiet --output - --format " + format + " --config '" + model + "'");
    EXPECT_EQ(ended.code, 0) << ended.err;
    const std::string first = ended.out.substr(0, ended.out.find('\n'));
    EXPECT_TRUE(first.starts_with(format == "python" ? "# {" : "// {") && first.ends_with("}")) << first;
    EXPECT_NE(first.find("*/b"), std::string::npos) << first;
  }
}

}  // namespace
}  // namespace ropewalk::command
