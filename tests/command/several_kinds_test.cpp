// Several kinds of table in one file: the arrays, their names, their one record, and what is refused.

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <string>

#include "command/array_file.hpp"
#include "command/program.hpp"

namespace ropewalk::command {
namespace {

const std::string rotary = " --model llama-3.1-8b --positions 5 --quiet ";

template <floating_format Float>
void expect_array(const std::string& place, const std::string& kind, const std::string& options) {
  const scratch_folder folder;
  ASSERT_EQ(run("table " + kind + options + "--output " + folder / "t.npy").code, 0);
  EXPECT_EQ(elements<Float>(place), elements<Float>(folder / "t.npy")) << place;
}

TEST(SeveralKinds, EachArrayIsItsKinds) {
  for (const std::string name : {"all.npz", "all.safetensors"}) {
    const scratch_folder folder;
    const std::string file = folder / name;
    ASSERT_EQ(run("table inv-freq,cos-sin,sin" + rotary + "--layout hf --dtype f64 --output " + file).code,
              0);
    expect_array<double>(file + "#inv_freq", "inv-freq", rotary + "--dtype f64 ");
    expect_array<double>(file + "#cos_sin", "cos-sin", rotary + "--layout hf --dtype f64 ");
    expect_array<double>(file + "#sin", "sin", rotary + "--dtype f64 ");
  }
}

TEST(SeveralKinds, CosinesAndSinesAloneTakeALayoutTogether) {
  const scratch_folder folder;
  const std::string file = folder / "all.npz";
  ASSERT_EQ(run("table cos,sin" + rotary + "--layout hf --output " + file).code, 0);
  expect_array<float>(file + "#cos", "cos", rotary + "--layout hf ");
  expect_array<float>(file + "#sin", "sin", rotary + "--layout hf ");
}

TEST(SeveralKinds, SourceFilesHoldEachArrayAsAFileOfItsOwnDoes) {
  for (const std::string name : {"all.h", "all.rs", "all.py", "all.glsl"}) {
    const scratch_folder folder;
    const std::string file = folder / name, alone = folder / ("alone" + name.substr(name.find('.')));
    ASSERT_EQ(run("table inv-freq,cos" + rotary + "--output " + file).code, 0) << name;
    const auto array_of = [](const std::string& text, std::size_t from) {  // behind its record
      return text.substr(text.find("ropewalk_", text.find('\n', from)));
    };
    const std::string both = text_of(file);
    ASSERT_EQ(run("table cos" + rotary + "--output " + alone).code, 0);
    const std::string cosines = array_of(text_of(alone), 0);
    EXPECT_TRUE(both.ends_with(cosines)) << name;
    EXPECT_NE(both.find("ropewalk_inv_freq"), std::string::npos) << name;
    ASSERT_EQ(run("table cos,sin" + rotary + "--name mine --output " + file).code, 0);
    EXPECT_NE(text_of(file).find("mine_sin"), std::string::npos) << name;
  }
}

TEST(SeveralKinds, NamesFollowTheGivenOne) {
  const scratch_folder folder;
  const std::string file = folder / "all.npz";
  ASSERT_EQ(run("table cos,sin" + rotary + "--name layers.0 --output " + file).code, 0);
  expect_array<float>(file + "#layers.0.cos", "cos", rotary);
  expect_array<float>(file + "#layers.0.sin", "sin", rotary);
}

TEST(SeveralKinds, WordsOfTurnsLeaveTheDtypeToTheOthers) {
  const scratch_folder folder;
  const std::string file = folder / "all.safetensors";
  ASSERT_EQ(run("table turns,cos" + rotary + "--dtype f16 --output " + file).code, 0);
  expect_array<binary16>(file + "#cos", "cos", rotary + "--dtype f16 ");
  ASSERT_EQ(run("table turns" + rotary + "--output " + folder / "t.npy").code, 0);
  EXPECT_EQ(input::read_array("input", file + "#turns").bytes,
            input::read_array("input", folder / "t.npy").bytes);
}

TEST(SeveralKinds, OtherEncodingsAreWrittenToo) {
  const scratch_folder folder;
  const std::string file = folder / "all.npz";
  ASSERT_EQ(run("table alibi-slopes,alibi-bias --heads 3 --keys 4 --quiet --output " + file).code, 0);
  expect_array<float>(file + "#alibi_slopes", "alibi-slopes", " --heads 3 --quiet ");
  expect_array<float>(file + "#alibi_bias", "alibi-bias", " --heads 3 --keys 4 --quiet ");
  ASSERT_EQ(run("table binary,sine-only,integer --width 3 --positions 8 --quiet --output " + file).code, 0);
  expect_array<float>(file + "#integer", "integer", " --positions 8 --quiet ");
}

TEST(SeveralKinds, OneRecordSaysWhatIsSharedOnce) {
  const scratch_folder folder;
  const std::string file = folder / "all.npz";
  ASSERT_EQ(run("table inv-freq,cos" + rotary + "--output " + file).code, 0);
  const std::string bytes = text_of(file);
  const std::size_t begin = bytes.find("{\n \"written_by\"");
  const auto record = nlohmann::json::parse(bytes.substr(begin, bytes.find("\n}\n", begin) + 2 - begin));
  EXPECT_TRUE(record["command"].get<std::string>().starts_with("ropewalk table inv-freq,cos "));
  EXPECT_EQ(record["model"]["name"], "llama-3.1-8b");
  EXPECT_EQ(record["dtype"], "f32");
  EXPECT_EQ(record["arrays"].size(), 2U);
  EXPECT_EQ(record["arrays"]["cos"]["positions"], "0:5");
  EXPECT_EQ(record["arrays"]["inv_freq"]["units"], "radians per position");
  EXPECT_FALSE(record["arrays"]["cos"].contains("model"));
  EXPECT_FALSE(record.contains("units"));
}

TEST(SeveralKinds, TheModelIsReadAndToldOnce) {
  const scratch_folder folder;
  const std::string config =
      folder.put("c.json", R"({"model_type": "llama", "head_dim": 4, "rope_theta": 1e4})");
  const outcome outcome =
      run("table inv-freq,cos,sin --config - --positions 2 --output " + folder / "a.npz" + " <" + config);
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_EQ(lines_of(outcome.err), 1) << outcome.err;
}

TEST(SeveralKinds, BytesDependOnTheCommandAlone) {
  for (const std::string format : {"npz", "safetensors", "gguf"}) {
    const std::string line = "table inv-freq,cos,sin" + rotary + "--output - --format " + format;
    const std::string name = run(line, "taskset -c 0").out;
    EXPECT_GT(name.size(), 2U * 5 * 64 * 4) << format;
    EXPECT_EQ(run(line).out, name) << format;
  }
}

TEST(SeveralKinds, WhatOneFileCannotHoldIsRefused) {
  const auto refused = [](const std::string& options, const std::string& start) {
    const scratch_folder folder;
    const outcome outcome = run("table " + options + " --output " + folder / "t");
    EXPECT_EQ(outcome.code, 2) << options;
    EXPECT_TRUE(outcome.err.starts_with("ropewalk: " + start)) << outcome.err;
    EXPECT_EQ(lines_of(outcome.err), 1) << outcome.err;
    EXPECT_EQ(folder.entries(), 0) << options;
  };
  for (const std::string format : {"npy", "json", "csv"})
    refused("cos,sin" + rotary + "--format " + format,
            "format is " + format +
                "; allowed: npz, safetensors, gguf, c, glsl, python, rust for several tables in one file");
  refused("cos,cos" + rotary + "--format npz", "kind is cos,cos; allowed: each kind once");
  refused("cos,sinusoidal" + rotary + "--format npz",
          "kind is cos,sinusoidal; allowed: kinds of one encoding");
  refused("cos,axes" + rotary + "--format npz", "kind is cos,axes; allowed: kinds of one encoding");
  refused("cos,nope" + rotary + "--format npz", "no kind named 'nope'");
  for (const std::string kinds : {"cos,", ",cos", "cos,,sin", ","})
    refused("'" + kinds + "'" + rotary + "--format npz", "kind is missing;");
  refused("cos,sin" + rotary + "--format npz --layout vllm", "layout is vllm; allowed: hf for cos");
  refused("cos,cos-sin" + rotary + "--format npz", "layout is missing;");
  refused("cos,turns" + rotary + "--format gguf", "format is gguf; allowed: another format for turns");
  refused("cos,sin" + rotary + "--format npz --digits 3", "format is npz; allowed: json, csv");
  refused("cos,sin" + rotary + "--format npz --name 'a b'", "name is a b.cos;");
  refused("cos,cos-sin" + rotary + "--layout complex --format npz --dtype bf16", "dtype is bf16;");
  refused("cos,sin --base 10000 --head-dim 65536 --positions 30000 --format npz",
          "format is npz of 7.3 GiB;");
  const outcome compared = run("table cos,sin" + rotary + "--compare x.npy");
  EXPECT_EQ(compared.code, 2);
  EXPECT_EQ(compared.err, "ropewalk: kind is cos,sin; allowed: one kind with --compare\n");
}

}  // namespace
}  // namespace ropewalk::command
