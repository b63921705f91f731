// Tables of rotary embeddings on several axes: witnesses, positions of each axis, and what is refused.

#include <gtest/gtest.h>

#include <cstdint>
#include <limits>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "command/array_file.hpp"
#include "command/program.hpp"
#include "command/table_files.hpp"
#include "ropewalk/table/rope_axes_rows.hpp"

namespace ropewalk::command {
namespace {

const std::string of_video = "table axes --model qwen2-vl-7b --quiet --layout ";
const std::string of_image = "table axes --base 10000 --head-dim 8 --quiet --layout vllm --axes ";

template <floating_format Float>
std::vector<bits_of<Float>> axes_table(const std::string& line, const std::string& positions) {
  const scratch_folder folder;
  const outcome outcome = run(line + " --dtype " + format<Float>::name + " --positions " +
                              folder.put("p.npy", positions) + " --output " + folder / "t.npy");
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  return elements<Float>(folder / "t.npy");
}

TEST(AxesTable, HoldsKnownNumbers) {
  // Position 3 turns pairs 0 to 15, position 4 pairs 16 to 39, position 5 the others; by another program.
  const auto row = axes_table<float>(of_video + "vllm", positions_on_axes(3, {3, 4, 5}));
  ASSERT_EQ(row.size(), 128U);
  const std::vector<std::pair<std::size_t, std::uint32_t>> known = {
      {0, 0xbf7d7026},  {15, 0x3f7e3a62},  {16, 0x3f7df469},  {39, 0x3f7ffff9},
      {40, 0x3f7ffff9}, {63, 0x3f800000},  {64, 0x3e1081c3},  {79, 0x3df08bb2},
      {80, 0x3e012e88}, {103, 0x3a67648f}, {104, 0x3a691526}, {127, 0x36d031df}};
  for (const auto& [column, bits] : known) EXPECT_EQ(row[column], bits) << column;
  EXPECT_EQ(axes_table<float>(of_image + "pixtral", positions_on_axes(2, {3, 4})),
            (std::vector<std::uint32_t>{0xbf7d7026, 0x3f7fe283, 0x3f6bcaa7, 0x3f7fff7a, 0x3e1081c3,
                                        0x3cf5b920, 0x3ec761d7, 0x3b831258}));
  EXPECT_EQ(axes_table<float>(of_image + "qwen-vision", positions_on_axes(2, {3, 4})),
            (std::vector<std::uint32_t>{0xbf7d7026, 0x3f7fe283, 0xbf275530, 0x3f7fcb94, 0x3e1081c3,
                                        0x3cf5b920, 0xbf41bdcf, 0x3d23cbdb}));
}

TEST(AxesTable, WhereAllAxesStandAtOnePositionItIsTheTableOfOneAxis) {
  const std::int32_t last = 2147483647, first = -2147483647 - 1;
  for (const std::string layout : {"vllm", "hf", "complex"})
    for (const std::int32_t position : {0, 1, 77, first, last}) {
      const std::string range = std::to_string(position) + ":" + std::to_string(std::int64_t{position} + 1);
      const scratch_folder folder;
      ASSERT_EQ(run("table cos-sin --model qwen2-vl-7b --quiet --layout " + layout + " --positions=" + range +
                    " --output " + folder / "t.npy")
                    .code,
                0);
      EXPECT_EQ(axes_table<float>(of_video + layout, positions_on_axes(3, {position, position, position})),
                elements<float>(folder / "t.npy"))
          << layout << position;
    }
}

TEST(AxesTable, RowsAreTheLibrarysInEveryFormat) {
  const rope_axes axes = pixtral(4);
  const rope config{.base = 10000, .rotary_dim = 8};
  const std::vector<std::int32_t> rows = {0, 3, -9, 2147483647, 5}, columns = {7, -1, 4, 2, -2147483647 - 1};
  std::vector<std::int32_t> both = rows;
  both.insert(both.end(), columns.begin(), columns.end());
  for_each_format([&]<class Float>() {
    const auto made = axes_table<Float>(of_image + "pixtral --threads 2", positions_on_axes(2, both));
    std::size_t at = 0;
    for (std::size_t token = 0; token < rows.size(); ++token) {
      const auto row = rope_axes_rows(axes, config).row<Float>({rows[token], columns[token]});
      for (const auto& entry : row) EXPECT_EQ(made[at++], entry.cos) << token;
      for (const auto& entry : row) EXPECT_EQ(made[at++], entry.sin) << token;
    }
    EXPECT_EQ(at, made.size());
  });
}

TEST(AxesTable, SequenceLengthComesFromTheLargestPositionOfAnyAxis) {
  const std::string dynamic =
      "table axes --base 10000 --head-dim 8 --quiet --layout vllm --scaling "
      R"('{"rope_type": "dynamic", "factor": 2, "max_position_embeddings": 16, "mrope_section": [1, 1, 2]}')";
  const std::string positions = positions_on_axes(3, {0, 3, 1, 99, 2, 5});
  EXPECT_EQ(axes_table<float>(dynamic, positions), axes_table<float>(dynamic + " --seq-len 100", positions));
  EXPECT_NE(axes_table<float>(dynamic, positions), axes_table<float>(dynamic + " --seq-len 16", positions));
}

TEST(AxesTable, TextNamesThePositionsOfEveryAxis) {
  const scratch_folder folder;
  const std::string positions = folder.put("p.npy", positions_on_axes(3, {1, 2, 3, 4, 5, 6}));
  const auto table =
      nlohmann::json::parse(run(of_video + "vllm --format json --output - --positions " + positions).out);
  EXPECT_EQ(table["rows"][1]["time"], 2);
  EXPECT_EQ(table["rows"][1]["height"], 4);
  EXPECT_EQ(table["rows"][1]["width"], 6);
  EXPECT_EQ(table["positions"], "3 axes of 2 listed");
  EXPECT_EQ(table["encoding"],
            (nlohmann::json{{"name", "rope_axes"}, {"rule", "mrope"}, {"mrope_section", {16, 24, 24}}}));
  EXPECT_EQ(table["model"]["name"], "qwen2-vl-7b");
}

TEST(AxesTable, DigitsAreThoseOfTheReference) {
  const scratch_folder folder;
  const std::string positions = folder.put("p.npy", positions_on_axes(2, {3, 4}));
  const auto rows = nlohmann::json::parse(
      run(of_image + "pixtral --format json --digits 20 --output - --positions " + positions).out)["rows"];
  EXPECT_EQ(rows[0]["axes"][0], "-9.8999249660044545727e-01");
  EXPECT_EQ(rows[0]["axes"][3], "9.9999200001066666098e-01");
  EXPECT_EQ(rows[0]["axes"][6], "3.8941834230865049167e-01");
}

void expect_axes_refused(const std::string& options, const std::string& start) {
  const scratch_folder folder;
  const outcome outcome = run("table axes " + options + " --output " + folder / "t.npy");
  EXPECT_EQ(outcome.code, 2) << options;
  EXPECT_TRUE(outcome.err.starts_with("ropewalk: " + start)) << outcome.err;
  EXPECT_EQ(lines_of(outcome.err), 1) << outcome.err;
  EXPECT_NE(outcome.err.find("; allowed: "), std::string::npos) << outcome.err;
  EXPECT_EQ(folder.entries(), 0) << options;
}

TEST(AxesTable, ModelsWithOneAxisAreRefused) {
  expect_axes_refused("--model llama-3.1-8b", "layout is missing; allowed: vllm, hf, complex for axes");
  expect_axes_refused("--layout vllm", "which encoding is missing;");
  expect_axes_refused("--layout vllm --model llama-3.1-8b", "which encoding is llama-3.1-8b (one axis);");
  expect_axes_refused("--layout vllm --model qwen2-vl-7b --axes pixtral",
                      "axes is pixtral; allowed: none for a model");
  expect_axes_refused("--layout vllm --base 10000 --head-dim 8 --axes text",
                      "axes is text; allowed: a JSON object, a file that holds one, or pixtral, qwen-vision");
  expect_axes_refused("--layout vllm --base 10000 --head-dim 6 --axes pixtral",
                      "an axis's pairs is 2; allowed: as many as axis 0 has");
  expect_axes_refused("--layout vllm --model qwen2-vl-7b --positions-f64 x.npy",
                      "positions-f64 is x.npy; allowed: none for axes");
}

TEST(AxesTable, NumbersThatWouldChangeNothingAreRefused) {
  const auto refused = [](const std::string& axis, const std::string& start) {
    expect_axes_refused("--layout vllm --base 500 --axes '{\"axes\":[{\"pairs\":3," + axis + "}]}'", start);
  };
  expect_axes_refused("--layout vllm --axes dinov3 --base 50", "base is 50; allowed: none here");
  refused("\"first\":2", "axes.axes[0].first is 2; allowed: none where spacing is of-base");
  refused("\"shift\":1", "axes.axes[0].shift is 1; allowed: none where spacing is of-base");
  refused("\"last\":9,\"spacing\":\"linear\",\"shift\":1", "axes.axes[0].shift is 1; allowed: none");
  refused("\"list\":[1,2,3],\"first\":1", "axes.axes[0].first is 1; allowed: none where spacing is listed");
  refused("\"list\":5", "axes.axes[0].list is 5; allowed: a list of numbers");
  refused("\"scaling\":{}", "axes.axes[0].scaling is {}; allowed: a rule as in rope_scaling");
}

TEST(AxesTable, PositionsOfAnotherShapeOrRangeAreRefused) {
  const std::string which = "--layout vllm --model qwen2-vl-7b --positions ";
  expect_axes_refused("--layout vllm --model qwen2-vl-7b", "positions is missing; allowed: an array [3, N]");
  expect_axes_refused(which + "7", "positions is 7; allowed: an array [3, N] of positions");
  expect_axes_refused(which + "0:7", "positions is 0:7; allowed: an array [3, N]");
  expect_axes_refused(which + "/nonexistent",
                      "positions is /nonexistent (no such file); allowed: an array [3, N]");
  const scratch_folder folder;
  const auto refused = [&](const std::string& bytes, const std::string& why) {
    const std::string path = folder.put("p.npy", bytes);
    expect_axes_refused(which + path, "positions is " + path + " (" + why);
  };
  refused(positions_on_axes(2, {1, 2, 3, 4}), "shape (2, 2));");
  refused(positions_on_axes(6, {1, 2, 3, 4, 5, 6}), "shape (6, 1));");
  refused(array_bytes<std::int32_t>(npy_dtype::i32, {3}, {1, 2, 3}), "shape (3));");
  refused(array_bytes<std::int32_t>(npy_dtype::i32, {}, {1}), "shape ());");
  refused(array_bytes<std::int32_t>(npy_dtype::i32, {3, 1, 1}, {1, 2, 3}), "shape (3, 1, 1));");
  refused(array_bytes<std::int32_t>(npy_dtype::i32, {3, 0}, {}), "shape (3, 0));");
  refused(array_bytes<std::int32_t>(npy_dtype::i32, {0, 3}, {}), "shape (0, 3));");
  refused(array_bytes<float>(npy_dtype::f32, {3, 1}, {1, std::numeric_limits<float>::infinity(), 3}),
          "entry 1 is infinite);");
  refused(array_bytes<std::uint16_t>(npy_dtype::f16, {3, 1}, {1, 2, 3}), "descr <f2);");
  refused(array_bytes<std::int64_t>(npy_dtype::i64, {3, 1}, {1, 2147483648, 3}), "entry 1 is 2147483648);");
  refused(array_bytes<std::int64_t>(npy_dtype::i64, {3, 1}, {1, 2, -2147483649}), "entry 2 is -2147483649);");
  refused(array_bytes<std::int32_t>(npy_dtype::i32, {3, 1000000000}, {1, 2, 3}),
          "ends after 12 of 12000000000 bytes");
  refused(array_bytes<std::int32_t>(npy_dtype::i32, {3, 4611686018427387904}, {1}),
          "a shape beyond 2^62 bytes);");
  std::string fortran = positions_on_axes(3, {1, 2, 3});
  fortran.replace(fortran.find("False"), 5, "True ");
  refused(fortran, "fortran_order True); allowed: C order");
}

}  // namespace
}  // namespace ropewalk::command
