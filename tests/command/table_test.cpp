// Tables as files: same command, same bytes; text that reads back to the array; comparisons.

#include <gtest/gtest.h>

#include <cstring>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string>
#include <vector>

#include "command/array_file.hpp"
#include "command/program.hpp"
#include "export/npy.hpp"
#include "input/array_file.hpp"
#include "output/decimal.hpp"
#include "ropewalk/numeric/format.hpp"

namespace ropewalk::command {
namespace {

TEST(Table, InverseFrequenciesOfBaseSixteen) {
  const scratch_folder folder;
  ASSERT_EQ(run("table inv-freq --base 16 --head-dim 4 --output " + folder / "f.npy").code, 0);
  // 16^0 and 16^(-1/2), exact in binary32.
  EXPECT_EQ(elements<float>(folder / "f.npy"), (std::vector<std::uint32_t>{0x3f800000, 0x3e800000}));
}

TEST(Table, TurnsOfTheFirstPairAreTheReciprocalOfTwoPi) {
  const scratch_folder folder;
  ASSERT_EQ(run("table turns --base 10000 --head-dim 2 --output " + folder / "t.npy").code, 0);
  const input::whole_array array = input::read_array("input", folder / "t.npy");
  EXPECT_EQ(array.header.shape, (std::vector<std::int64_t>{1, 4}));
  std::uint32_t words[4];
  std::memcpy(words, array.bytes.data(), sizeof words);
  // The first bits of 1 / (2 pi), as in every table of them: 0x28be60db9391054a.
  EXPECT_EQ(words[3], 0x28be60dbU);
  EXPECT_EQ(words[2], 0x9391054aU);
}

TEST(Table, PositionZeroIsOneAndZero) {
  const scratch_folder folder;
  const std::string which = " --base 10000 --head-dim 4 --positions 1 --dtype f64 --output ";
  ASSERT_EQ(run("table cos" + which + folder / "c.npy").code, 0);
  ASSERT_EQ(run("table sin" + which + folder / "s.npy").code, 0);
  EXPECT_EQ(elements<double>(folder / "c.npy"), (std::vector<std::uint64_t>{to_bits(1.0), to_bits(1.0)}));
  EXPECT_EQ(elements<double>(folder / "s.npy"), (std::vector<std::uint64_t>{0, 0}));
}

TEST(Table, AttentionFactorIsIncluded) {
  const scratch_folder folder;
  const std::string rule =
      R"('{"type": "yarn", "factor": 4, "original_max_position_embeddings": 4096, "attention_factor": 1.5}')";
  ASSERT_EQ(run("table cos --base 10000 --head-dim 4 --positions 1 --scaling " + rule + " --output " +
                folder / "c.npy")
                .code,
            0);
  EXPECT_EQ(elements<float>(folder / "c.npy"), (std::vector<std::uint32_t>(2, to_bits(1.5F))));
}

TEST(Table, SameCommandGivesTheSameBytesForAnyNumberOfThreads) {
  const std::string table =
      "table sin --model llama-3.2-1b --positions -3000:6001 --quiet --output - --dtype ";
  for (const npy_dtype dtype : {npy_dtype::f64, npy_dtype::f32, npy_dtype::f16, npy_dtype::u16}) {
    const std::string name = dtype == npy_dtype::u16 ? "bf16" : "f" + std::to_string(8 * size_of(dtype));
    const std::string text = run(table + name + " --threads 1").out;
    EXPECT_EQ(text.size(), 128 + 9001 * 32 * size_of(dtype));
    for (const std::string threads : {"1", "2", "7"})
      EXPECT_EQ(run(table + name + " --threads " + threads).out, text);
  }
}

TEST(Table, WhereItIsWrittenChangesNoByte) {
  const scratch_folder folder;
  const std::string table = "table cos --model gpt-j-6b --positions 1k:1026 --format safetensors";
  ASSERT_EQ(run(table + " --quiet --output " + folder / "a").code, 0);
  ASSERT_EQ(run(table + " --output=" + folder / "b").code, 0);
  EXPECT_EQ(text_of(folder / "a"), text_of(folder / "b"));
  ASSERT_EQ(run("table cos --model gpt-j-6b --positions 1024:1026 --output " + folder / "c.npy").code, 0);
  ASSERT_EQ(run("table cos --model gpt-j-6b --positions 1k:1026 --output " + folder / "d.npy").code, 0);
  EXPECT_EQ(text_of(folder / "c.npy"), text_of(folder / "d.npy"));
}

TEST(Table, SidecarSaysWhatTheArrayIs) {
  const scratch_folder folder;
  const std::string arguments = "table cos --model qwen2.5-7b-yarn4 --positions 5:8 --dtype bf16";
  ASSERT_EQ(run(arguments + " --output " + folder / "c.npy").code, 0);
  const auto record = nlohmann::json::parse(text_of(folder / "c.npy.json"));
  EXPECT_EQ(record["command"], "ropewalk " + arguments);
  EXPECT_TRUE(record["written_by"].get<std::string>().starts_with("ropewalk "));
  EXPECT_EQ(record["shape"], (std::vector<int>{3, 64}));
  EXPECT_EQ(record["dtype"], "bf16");
  EXPECT_EQ(record["stored_as"], "uint16, the bits of the bfloat16");
  EXPECT_EQ(record["positions"], "5:8");
  EXPECT_EQ(record["model"]["rope_scaling"]["rope_type"], "yarn");
  for (const char* key : {"units", "convention", "rounding"})
    EXPECT_FALSE(record[key].get<std::string>().empty());
  EXPECT_FALSE(record["model"]["taken"].empty());
  EXPECT_EQ(folder.entries(), 2);
}

/// Every number of the JSON table reads back to the array's bits, as do the bits beside it.
template <floating_format Float>
void json_reads_back() {
  const scratch_folder folder;
  const std::string which = " --model llama-3.1-8b --positions 131000:131007 --quiet --dtype " +
                            std::string(format<Float>::name) + " --output " + folder / "t";
  ASSERT_EQ(run("table cos" + which + ".npy").code, 0);
  ASSERT_EQ(run("table cos" + which + ".json --format json").code, 0);
  const auto bits = elements<Float>(folder / "t.npy");
  const auto table = nlohmann::json::parse(text_of(folder / "t.json"));
  ASSERT_EQ(table["rows"].size(), 7U);
  std::size_t at = 0;
  for (const auto& row : table["rows"])
    for (std::size_t pair = 0; pair < row["cos"].size(); ++pair, ++at) {
      ASSERT_EQ(row["bits"][pair], output::hexadecimal<Float>(bits[at]));
      const double read = row["cos"][pair];
      const double value = output::to_double<Float>(bits[at]);
      const double next = output::to_double<Float>(static_cast<bits_of<Float>>(bits[at] + 1));
      const double last = output::to_double<Float>(static_cast<bits_of<Float>>(bits[at] - 1));
      ASSERT_LT(std::abs(read - value) * 2, std::abs(next - value));
      ASSERT_LT(std::abs(read - value) * 2, std::abs(last - value));
    }
  EXPECT_EQ(at, bits.size());
  EXPECT_EQ(table["rows"][0]["position"], 131000);
}

TEST(Table, JsonReadsBackInEveryFormat) {
  json_reads_back<double>();
  json_reads_back<float>();
  json_reads_back<binary16>();
  json_reads_back<bfloat16>();
}

TEST(Table, CsvHasARecordALineOfNamesAndARowForEachPosition) {
  std::istringstream lines(
      run("table cos --base 10000 --head-dim 4 --positions 3 --format csv --quiet --output -").out);
  std::string line;
  std::getline(lines, line);
  ASSERT_TRUE(line.starts_with("# {")) << line;
  EXPECT_EQ(nlohmann::json::parse(line.substr(2))["array"], "cos");
  std::getline(lines, line);
  EXPECT_EQ(line, "position,pair_0,pair_1");
  std::getline(lines, line);
  EXPECT_EQ(line, "0,1,1");
  std::getline(lines, line);
  EXPECT_EQ(line, "1,0.5403023,0.99995");  // cos 1 and cos 0.01 in binary32
  std::getline(lines, line);
  EXPECT_TRUE(line.starts_with("2,-0.4161468"));
  EXPECT_FALSE(std::getline(lines, line));
}

TEST(Table, DigitsAreCorrectlyRounded) {
  const std::string which =
      " --base 10000 --head-dim 4 --positions 1:2 --quiet --format csv --output - --digits ";
  const auto last_line = [](const std::string& text) {
    return text.substr(text.rfind('\n', text.size() - 2) + 1);
  };
  // cos 1 = 0.54030230586813971740093660744..., cos 0.01 = 0.99995000041666527778...
  EXPECT_EQ(last_line(run("table cos" + which + "20").out),
            "1,5.4030230586813971740e-01,9.9995000041666527778e-01\n");
  EXPECT_EQ(last_line(run("table cos" + which + "3").out), "1,5.40e-01,1.00e+00\n");
  const std::string thousand = last_line(run("table sin" + which + "1000").out);
  EXPECT_EQ(thousand.size(), 2 + 2 * (1001 + 4) + 2U);
}

TEST(Table, PositionsMayBeListed) {
  const scratch_folder folder;
  const std::int64_t listed[] = {7, -2147483648, 2147483647, 7};
  folder.put("p.npy", tables::npy_header_bytes({npy_dtype::i64, {4}}) +
                          std::string(reinterpret_cast<const char*>(listed), sizeof listed));
  const std::string table =
      "table cos --base 10000 --head-dim 4 --quiet --dtype f64 --output " + folder / "c.npy";
  ASSERT_EQ(run(table + " --positions " + folder / "p.npy").code, 0);
  const auto rows = elements<double>(folder / "c.npy");
  ASSERT_EQ(rows.size(), 8U);
  EXPECT_EQ(rows[0], rows[6]);
  const auto alone = [&](const std::string& range) {
    EXPECT_EQ(run(table + " --positions " + range).code, 0);
    return elements<double>(folder / "c.npy");
  };
  EXPECT_EQ(alone("-2147483648:-2147483647"), (std::vector<std::uint64_t>{rows[2], rows[3]}));
  EXPECT_EQ(alone("2147483647:2147483648"), (std::vector<std::uint64_t>{rows[4], rows[5]}));
}

TEST(Table, ListedPositionOutsideInt32IsRefused) {
  const scratch_folder folder;
  const std::int64_t listed[] = {7, 2147483648};
  folder.put("p.npy", tables::npy_header_bytes({npy_dtype::i64, {2}}) +
                          std::string(reinterpret_cast<const char*>(listed), sizeof listed));
  const outcome outcome =
      run("table cos --base 10000 --head-dim 4 --output - --positions " + folder / "p.npy");
  EXPECT_EQ(outcome.code, 2);
  EXPECT_NE(outcome.err.find("(entry 1 is 2147483648); allowed: "), std::string::npos) << outcome.err;
}

class Compare : public testing::Test {
 protected:
  Compare() {
    EXPECT_EQ(run(which + "--output " + folder / "c.npy").code, 0);
    bytes = text_of(folder / "c.npy");
  }

  /// Adds `steps` to the bits of one entry of the file.
  void move(int row, int pair, std::int32_t steps) {
    const std::size_t at = 128 + 4 * static_cast<std::size_t>(2 * row + pair);
    std::uint32_t bits = 0;
    std::memcpy(&bits, bytes.data() + at, sizeof bits);
    bits += static_cast<std::uint32_t>(steps);
    std::memcpy(bytes.data() + at, &bits, sizeof bits);
  }

  outcome compared(const std::string& options = "") {
    folder.put("c.npy", bytes);
    return run(which + "--quiet " + options + " --compare " + folder / "c.npy");
  }

  scratch_folder folder;
  std::string which = "table cos --base 10000 --head-dim 4 --positions 100:200 ";
  std::string bytes;
};

TEST_F(Compare, ItsOwnTableHolds) {
  const outcome outcome = compared();
  EXPECT_EQ(outcome.code, 0);
  EXPECT_TRUE(outcome.out.starts_with("entries            200\ncorrectly rounded  200 (100.0000 %)\n"))
      << outcome.out;
}

TEST_F(Compare, OneEntryOffByOneFails) {
  move(7, 1, 1);
  const outcome outcome = compared();
  EXPECT_EQ(outcome.code, 1);
  EXPECT_NE(outcome.out.find("correctly rounded  199 (99.5000 %)"), std::string::npos) << outcome.out;
  EXPECT_NE(outcome.out.find("largest error      1 ulp at position 107, pair 1"), std::string::npos)
      << outcome.out;
  EXPECT_NE(outcome.out.find("first past 1    ulp none"), std::string::npos) << outcome.out;
}

TEST_F(Compare, FirstPositionPastEachMarkIsFound) {
  move(5, 0, 2);
  move(6, 1, -3);
  move(9, 0, 1001);
  const auto report = nlohmann::json::parse(compared("--json").out);
  EXPECT_EQ(report["entries"], 200);
  EXPECT_EQ(report["correctly_rounded"], 197);
  EXPECT_EQ(report["largest_error"]["ulp"], 1001);
  EXPECT_EQ(report["largest_error"]["at"]["position"], 109);
  EXPECT_EQ(report["first_past_ulp"]["1"]["position"], 105);
  EXPECT_EQ(report["first_past_ulp"]["2"]["position"], 106);
  EXPECT_EQ(report["first_past_ulp"]["2"]["pair"], 1);
  EXPECT_EQ(report["first_past_ulp"]["1000"]["position"], 109);
}

TEST_F(Compare, WhatIsNotANumberIsCounted) {
  const std::uint32_t nan = format<float>::quiet_nan;
  std::memcpy(bytes.data() + 128, &nan, sizeof nan);
  const outcome outcome = compared();
  EXPECT_EQ(outcome.code, 1);
  EXPECT_NE(outcome.out.find("not a number       1\n"), std::string::npos) << outcome.out;
  EXPECT_NE(outcome.out.find("not a number at position 100, pair 0"), std::string::npos) << outcome.out;
  EXPECT_TRUE(nlohmann::json::parse(compared("--json").out)["largest_error"]["ulp"].is_null());
}

TEST_F(Compare, OtherShapesAndFormatsAreRefused) {
  EXPECT_EQ(compared("--dtype f64").code, 2);
  which = "table cos --base 10000 --head-dim 4 --positions 100:201 ";
  const outcome outcome = compared();
  EXPECT_EQ(outcome.code, 2);
  EXPECT_NE(outcome.err.find("(shape (100, 2)); allowed: shape (101, 2)"), std::string::npos) << outcome.err;
  bytes.resize(bytes.size() - 1);
  EXPECT_EQ(compared().code, 2);
}

TEST(CompareTurns, DistanceGoesTheShortWayRound) {
  const scratch_folder folder;
  const std::string which = "table turns --base 10000 --head-dim 2 --quiet ";
  ASSERT_EQ(run(which + "--output " + folder / "t.npy").code, 0);
  std::string bytes = text_of(folder / "t.npy");
  bytes[128] = static_cast<char>(bytes[128] + 1);
  folder.put("t.npy", bytes);
  const outcome outcome = run(which + "--compare " + folder / "t.npy");
  EXPECT_EQ(outcome.code, 1);
  EXPECT_NE(outcome.out.find("1 ulp at pair 0"), std::string::npos) << outcome.out;
}

}  // namespace
}  // namespace ropewalk::command
