// Cosines and sines as one array: what stands where in each layout, in bytes, text and comparisons.

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <sstream>
#include <string>
#include <vector>

#include "command/array_file.hpp"
#include "command/program.hpp"

namespace ropewalk::command {
namespace {

TEST(CosSin, LayoutIsAskedFor) {
  const scratch_folder folder;
  const std::string which = " --base 10000 --head-dim 4 --positions 2 --output " + folder / "t.npy";
  const auto refused = [&](const std::string& arguments, const std::string& line) {
    const outcome outcome = run("table " + arguments + which);
    EXPECT_EQ(outcome.code, 2) << arguments;
    EXPECT_NE(outcome.err.find(line), std::string::npos) << outcome.err;
    EXPECT_EQ(folder.entries(), 0);
  };
  refused("cos-sin", "layout is missing; allowed: vllm, hf, complex");
  refused("cos-sin --layout gguf", "layout is gguf; allowed: vllm, hf, complex");
  refused("cos --layout vllm", "layout is vllm; allowed: hf for cos");
  refused("inv-freq --layout hf", "layout is hf; allowed: none for inv-freq");
  for (const std::string dtype : {"f16", "bf16"})
    refused("cos-sin --layout complex --dtype " + dtype, "dtype is " + dtype + "; allowed: f64, f32");
}

/// The table in one layout; its bytes after the header.
template <floating_format Float>
std::vector<bits_of<Float>> cos_sin(const scratch_folder& folder, const std::string& options,
                                    const std::vector<std::int64_t>& shape, npy_dtype dtype) {
  const std::string path = folder / "cos_sin.npy";
  EXPECT_EQ(run("table cos-sin --quiet --output " + path + " " + options).code, 0) << options;
  const input::whole_array array = input::read_array("input", path);
  EXPECT_EQ(array.header.shape, shape) << options;
  EXPECT_EQ(array.header.dtype, dtype) << options;
  return elements<Float>(path);
}

TEST(CosSin, LayoutsHoldTheEntriesOfCosAndSin) {
  const scratch_folder folder;
  const std::string which = "--base 10000 --head-dim 4 --positions 7:9 --dtype f64 ";
  ASSERT_EQ(run("table cos " + which + "--output " + folder / "c.npy").code, 0);
  ASSERT_EQ(run("table sin " + which + "--output " + folder / "s.npy").code, 0);
  const auto c = elements<double>(folder / "c.npy"), s = elements<double>(folder / "s.npy");
  using bits = std::vector<std::uint64_t>;
  EXPECT_EQ(cos_sin<double>(folder, which + "--layout vllm", {2, 4}, npy_dtype::f64),
            (bits{c[0], c[1], s[0], s[1], c[2], c[3], s[2], s[3]}));
  EXPECT_EQ(cos_sin<double>(folder, which + "--layout complex", {2, 2}, npy_dtype::c128),
            (bits{c[0], s[0], c[1], s[1], c[2], s[2], c[3], s[3]}));
  EXPECT_EQ(cos_sin<double>(folder, which + "--layout hf", {2, 2, 4}, npy_dtype::f64),
            (bits{c[0], c[1], c[0], c[1], c[2], c[3], c[2], c[3],  //
                  s[0], s[1], s[0], s[1], s[2], s[3], s[2], s[3]}));
  EXPECT_EQ(cos_sin<double>(folder, which + "--layout hf --pairing interleaved", {2, 2, 4}, npy_dtype::f64),
            (bits{c[0], c[0], c[1], c[1], c[2], c[2], c[3], c[3],  //
                  s[0], s[0], s[1], s[1], s[2], s[2], s[3], s[3]}));
}

TEST(CosSin, SameBytesForAnyNumberOfThreads) {
  for (const std::string layout : {"vllm", "hf", "complex"}) {
    const std::string table =
        "table cos-sin --model llama-3.2-1b --positions -1500:2501 --quiet --output - "
        "--layout " +
        layout + " --threads ";
    const std::string name = run(table + "1").out;
    EXPECT_EQ(name.size(), 128 + 4001 * 64 * 4 * (layout == "hf" ? 2U : 1U)) << layout;
    EXPECT_EQ(run(table + "2").out, name) << layout;
    EXPECT_EQ(run(table + "7").out, name) << layout;
  }
}

TEST(CosSin, SidecarSaysLayoutAxesAndDuplication) {
  const scratch_folder folder;
  const auto record_of = [&](const std::string& options) {
    EXPECT_EQ(run("table cos-sin --positions 3 --output " + folder / "t.npy " + options).code, 0);
    return nlohmann::json::parse(text_of(folder / "t.npy.json"));
  };
  const auto half_split = record_of("--model llama-2-7b --layout hf");
  EXPECT_EQ(half_split["layout"], "hf");
  EXPECT_EQ(half_split["axes"], "[2, positions, rotary_dim]");
  EXPECT_EQ(half_split["shape"], (std::vector<int>{2, 3, 128}));
  EXPECT_TRUE(half_split["duplication"].get<std::string>().starts_with("half-split"));
  EXPECT_TRUE(
      record_of("--model gpt-j-6b --layout hf")["duplication"].get<std::string>().starts_with("interleaved"));
  // Reads interleaved channels and rotates half-split ones.
  EXPECT_TRUE(record_of("--model deepseek-v3 --layout hf")["duplication"].get<std::string>().starts_with(
      "half-split"));
  const auto complex = record_of("--model llama-2-7b --layout complex");
  EXPECT_EQ(complex["stored_as"], "complex64");
  EXPECT_EQ(complex["shape"], (std::vector<int>{3, 64}));
  EXPECT_FALSE(complex.contains("duplication"));
}

TEST(CosSin, TextNamesWhatStandsWhere) {
  const auto second_line = [](const std::string& options) {
    std::istringstream lines(
        run("table cos-sin --base 10000 --head-dim 4 --positions 1:3 --format csv --quiet "
            "--output - " +
            options)
            .out);
    std::string all, line;
    std::getline(lines, line);
    while (std::getline(lines, line)) all += line + "\n";
    return all;
  };
  EXPECT_TRUE(
      second_line("--layout vllm").starts_with("position,cos_0,cos_1,sin_0,sin_1\n1,0.5403023,0.99995,0.8"));
  EXPECT_TRUE(second_line("--layout complex")
                  .starts_with("position,cos_0,sin_0,cos_1,sin_1\n1,0.5403023,0.84147096,0.9"));
  EXPECT_TRUE(second_line("--layout hf --digits 3") ==
              "plane,position,channel_0,channel_1,channel_2,channel_3\n"
              "0,1,5.40e-01,1.00e+00,5.40e-01,1.00e+00\n0,2,-4.16e-01,1.00e+00,-4.16e-01,1.00e+00\n"
              "1,1,8.41e-01,1.00e-02,8.41e-01,1.00e-02\n1,2,9.09e-01,2.00e-02,9.09e-01,2.00e-02\n")
      << second_line("--layout hf --digits 3");
  const auto rows = nlohmann::json::parse(run("table cos-sin --layout hf --base 10000 --head-dim 4 "
                                              "--positions 2 --format json --quiet --output -")
                                              .out)["rows"];
  ASSERT_EQ(rows.size(), 4U);
  EXPECT_EQ(rows[3]["plane"], 1);
  EXPECT_EQ(rows[3]["position"], 1);
  EXPECT_EQ(rows[3]["cos_sin"].size(), 4U);
}

TEST(CosSin, ComparisonNamesPositionAndPair) {
  const scratch_folder folder;
  const auto table = [&](const std::string& layout) {
    return "table cos-sin --base 10000 --head-dim 4 --positions 100:110 --quiet --layout " + layout + " ";
  };
  const auto worst_after = [&](const std::string& layout, std::size_t at) {
    EXPECT_EQ(run(table(layout) + "--output " + folder / "t.npy").code, 0);
    EXPECT_EQ(run(table(layout) + "--compare " + folder / "t.npy").code, 0);
    move_entry<std::uint32_t>(folder / "t.npy", at, 5);
    const outcome outcome = run(table(layout) + "--json --compare " + folder / "t.npy");
    EXPECT_EQ(outcome.code, 1);
    const auto report = nlohmann::json::parse(outcome.out);
    EXPECT_EQ(report["largest_error"]["ulp"], 5);
    EXPECT_EQ(report["correctly_rounded"].get<int>() + 1, report["entries"].get<int>());
    return report["largest_error"]["at"].dump();
  };
  // Four columns a row.
  EXPECT_EQ(worst_after("vllm", 4 * 3 + 1), R"({"of":"cos","pair":1,"position":103})");
  EXPECT_EQ(worst_after("vllm", 4 * 3 + 2), R"({"of":"sin","pair":0,"position":103})");
  EXPECT_EQ(worst_after("complex", 4 * 9 + 3), R"({"of":"sin","pair":1,"position":109})");
  EXPECT_EQ(worst_after("hf", 4 * 9 + 3), R"({"of":"cos","pair":1,"position":109})");
  EXPECT_EQ(worst_after("hf", 4 * 12 + 2), R"({"of":"sin","pair":0,"position":102})");
}

TEST(CosSin, FirstPositionPastAMarkIsTheSmallestOfBothPlanes) {
  const scratch_folder folder;
  const std::string table =
      "table cos-sin --layout hf --base 10000 --head-dim 4 --positions 100:110 --quiet ";
  ASSERT_EQ(run(table + "--output " + folder / "t.npy").code, 0);
  move_entry<std::uint32_t>(folder / "t.npy", 4 * 8, 3);
  move_entry<std::uint32_t>(folder / "t.npy", 4 * (10 + 5), 3);
  const auto report = nlohmann::json::parse(run(table + "--json --compare " + folder / "t.npy").out);
  EXPECT_EQ(report["first_past_ulp"]["2"]["position"], 105);
}

TEST(CosSin, OtherShapesAndFormatsAreRefused) {
  const scratch_folder folder;
  const std::string which = "--base 10000 --head-dim 4 --positions 4 --quiet ";
  ASSERT_EQ(run("table cos-sin --layout vllm " + which + "--output " + folder / "v.npy").code, 0);
  ASSERT_EQ(run("table cos-sin --layout complex " + which + "--output " + folder / "c.npy").code, 0);
  const auto refused = [&](const std::string& layout, const std::string& file, const std::string& words) {
    const outcome outcome =
        run("table cos-sin --layout " + layout + " " + which + "--compare " + folder / file);
    EXPECT_EQ(outcome.code, 2);
    EXPECT_NE(outcome.err.find(words), std::string::npos) << outcome.err;
  };
  refused("complex", "v.npy", "(descr <f4); allowed: descr <c8 or <c16");
  refused("vllm", "c.npy", "(descr <c8); allowed: descr <f8");
  refused("hf", "v.npy", "(shape (4, 4)); allowed: shape (2, 4, 4)");
  refused("complex --dtype f64", "c.npy", "dtype is f64; allowed: f32");
}

}  // namespace
}  // namespace ropewalk::command
