// Tables of encodings beside the rotary one: known entries, conventions and their records.

#include <gtest/gtest.h>

#include <cstring>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "command/array_file.hpp"
#include "command/program.hpp"
#include "command/table_kinds.hpp"
#include "export/npy.hpp"
#include "input/array_file.hpp"
#include "ropewalk/numeric/format.hpp"
#include "ropewalk/table/alibi_table.hpp"
#include "ropewalk/table/index_code_rows.hpp"
#include "ropewalk/table/sinusoidal_rows.hpp"
#include "ropewalk/table/t5_bias_table.hpp"

namespace ropewalk::command {
namespace {

template <floating_format Float>
std::vector<bits_of<Float>> table(const std::string& options) {
  const scratch_folder folder;
  const outcome outcome =
      run("table " + options + " --quiet --dtype " + format<Float>::name + " --output " + folder / "t.npy");
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  return elements<Float>(folder / "t.npy");
}

std::vector<std::int32_t> buckets(const std::string& options) {
  const scratch_folder folder;
  EXPECT_EQ(run("table t5-buckets " + options + " --quiet --output " + folder / "t.npy").code, 0);
  const input::whole_array array = input::read_array("input", folder / "t.npy");
  EXPECT_EQ(array.header.dtype, npy_dtype::i32);
  std::vector<std::int32_t> buckets(array.bytes.size() / sizeof(std::int32_t));
  std::memcpy(buckets.data(), array.bytes.data(), array.bytes.size());
  return buckets;
}

nlohmann::json record(const std::string& options) {
  return nlohmann::json::parse(run("table " + options + " --quiet --format json --output -").out);
}

TEST(TableOfEncodings, SinusoidsOfVaswani) {
  // sin 1 and cos 1, sin 0.01 and cos 0.01 in binary32.
  EXPECT_EQ(table<float>("sinusoidal --d-model 4 --positions 1:2"),
            (std::vector<std::uint32_t>{0x3f576aa4, 0x3f0a5140, 0x3c23d657, 0x3f7ffcb9}));
}

TEST(TableOfEncodings, EveryConventionOfSinusoidsIsTheLibrarys) {
  for (const int d_model : {2, 7, 8})
    for (const double shift : {0, 1})
      for (const auto layout :
           {sinusoidal_layout::interleaved, sinusoidal_layout::sin_cos, sinusoidal_layout::cos_sin})
        for (const int padding_idx : {-1, 0, 3}) {
          sinusoidal config{
              .base = 500, .d_model = d_model, .shift = shift, .layout = layout, .odd = odd_width::zero};
          std::string options = "sinusoidal --odd zero --base 500 --positions=-6:5 --d-model " +
                                std::to_string(d_model) + " --shift " + std::to_string(shift) + " --layout " +
                                name_of(layout);
          if (padding_idx >= 0) {
            config.padding_idx = padding_idx;
            options += " --padding-idx " + std::to_string(padding_idx);
          }
          EXPECT_EQ(table<float>(options), sinusoidal_encodings<float>({-6, 5}, config)) << options;
        }
}

TEST(TableOfEncodings, SinusoidsHave2048PositionsUnlessTheUserSays) {
  EXPECT_EQ(table<bfloat16>("sinusoidal --d-model 4"),
            sinusoidal_encodings<bfloat16>({0, 2048}, {.d_model = 4}));
}

TEST(TableOfEncodings, PositionsMayBeListedOrReal) {
  const scratch_folder folder;
  const std::int64_t listed[] = {7, -2147483648, 2147483647, -1};
  const double real[] = {7, -2147483648.0, 2147483647, -1};
  folder.put("i.npy", tables::npy_header_bytes({npy_dtype::i64, {4}}) +
                          std::string(reinterpret_cast<const char*>(listed), sizeof listed));
  folder.put("f.npy", tables::npy_header_bytes({npy_dtype::f64, {4}}) +
                          std::string(reinterpret_cast<const char*>(real), sizeof real));
  for (const std::string kind : {"sinusoidal --d-model 6 --padding-idx 1", "sine-only --width 6"}) {
    const auto of_list = table<double>(kind + " --positions " + folder / "i.npy");
    EXPECT_EQ(of_list, table<double>(kind + " --positions-f64 " + folder / "f.npy"));
    std::vector<std::uint64_t> alone;
    for (const std::string range : {"7:8", "-2147483648:-2147483647", "2147483647:2147483648", "-1:0"})
      for (const std::uint64_t bits : table<double>(kind + " --positions=" + range)) alone.push_back(bits);
    EXPECT_EQ(of_list, alone);
  }
}

TEST(TableOfEncodings, FractionsOfPositionsHaveSinusoids) {
  const scratch_folder folder;
  const double real[] = {0.5, -1e300, 5e-324, -1};
  folder.put("f.npy", tables::npy_header_bytes({npy_dtype::f64, {4}}) +
                          std::string(reinterpret_cast<const char*>(real), sizeof real));
  const sinusoidal config{.d_model = 4};
  const index_code sines{.kind = index_code_kind::sine_only, .width = 4};
  std::vector<std::uint64_t> expected, expected_sines;
  for (const double position : real)
    for (int channel = 0; channel < 4; ++channel) {
      expected.push_back(round_sinusoidal_entry<double>(position, channel, config));
      expected_sines.push_back(round_sine_only<double>(position, channel, sines));
    }
  EXPECT_EQ(table<double>("sinusoidal --d-model 4 --positions-f64 " + folder / "f.npy"), expected);
  EXPECT_EQ(table<double>("sine-only --width 4 --positions-f64 " + folder / "f.npy"), expected_sines);
}

TEST(TableOfEncodings, SlopesOfTwelveHeadsAreThePublishedOnes) {
  // 2^-1 .. 2^-8 of the first eight heads, then 2^-0.5, 2^-1.5, 2^-2.5, 2^-3.5.
  EXPECT_EQ(
      table<float>("alibi-slopes --heads 12"),
      (std::vector<std::uint32_t>{0x3f000000, 0x3e800000, 0x3e000000, 0x3d800000, 0x3d000000, 0x3c800000,
                                  0x3c000000, 0x3b800000, 0x3f3504f3, 0x3eb504f3, 0x3e3504f3, 0x3db504f3}));
}

TEST(TableOfEncodings, BiasesAreTheLibrarysForEveryFormAndExtent) {
  for (const auto form : alibi_forms)
    for (const int keys : {1, 5, 700})
      for (const int queries : {1, keys}) {
        const std::string options = "alibi-bias --heads 3 --keys " + std::to_string(keys) + " --queries " +
                                    std::to_string(queries) + " --form " + name_of(form);
        const alibi_biases biases({.heads = 3, .form = form});
        EXPECT_EQ(table<float>(options), biases.entries<float>(queries, keys)) << options;
        EXPECT_EQ(table<binary16>(options + " --threads 3"), biases.entries<binary16>(queries, keys))
            << options;
      }
}

TEST(TableOfEncodings, BiasesAreCausalOfAsManyQueriesAsKeysUnlessTheUserSays) {
  EXPECT_EQ(table<float>("alibi-bias --heads 2 --keys 3"),
            table<float>("alibi-bias --heads 2 --keys 3 --queries 3 --form causal"));
}

TEST(TableOfEncodings, BucketsOfT5) {
  // `_relative_position_bucket` of Hugging Face transformers at its defaults, relative positions -12 .. 12.
  EXPECT_EQ(buckets("--max-relative 12"),
            (std::vector<std::int32_t>{9,  8,  8,  8,  8,  7,  6,  5,  4,  3,  2,  1, 0,
                                       17, 18, 19, 20, 21, 22, 23, 24, 24, 24, 24, 25}));
  EXPECT_EQ(buckets("--max-relative 3 --causal"), (std::vector<std::int32_t>{3, 2, 1, 0, 0, 0, 0}));
  EXPECT_EQ(buckets("").size(), 257U);
  EXPECT_EQ(buckets("--max-relative 0"), std::vector<std::int32_t>{0});
}

TEST(TableOfEncodings, BucketsAreTheLibrarysInAllSettings) {
  for (const bool is_bidirectional : {false, true})
    for (const int count : {4, 9, 32, 64})
      for (const int max_distance : {33, 128, 1000})
        EXPECT_EQ(
            buckets("--max-relative 1100 --buckets " + std::to_string(count) + " --max-distance " +
                    std::to_string(max_distance) + (is_bidirectional ? " --bidirectional" : " --causal")),
            t5_buckets({count, max_distance, is_bidirectional}, 1100));
}

TEST(TableOfEncodings, BinaryDigitsInBothOrders) {
  const std::uint32_t bits = to_bits(1.0F);
  EXPECT_EQ(table<float>("binary --width 3 --positions 6:7"), (std::vector<std::uint32_t>{0, bits, bits}));
  EXPECT_EQ(table<float>("binary --width 3 --positions 6:7 --bit-order msb"),
            (std::vector<std::uint32_t>{bits, bits, 0}));
  EXPECT_EQ(table<float>("binary --width 2").size(), 4U * 2) << "as many positions as have a code";
}

TEST(TableOfEncodings, NormalisedPositions) {
  const std::vector<std::uint32_t> thirds{0, to_bits(1.0F / 3), to_bits(2.0F / 3), to_bits(1.0F)};
  EXPECT_EQ(table<float>("normalised --length 4"), thirds);
  EXPECT_EQ(table<float>("normalised --positions 4"), thirds) << "the length is the largest position + 1";
  EXPECT_EQ(table<float>("normalised --length 1"), std::vector<std::uint32_t>{0});
}

TEST(TableOfEncodings, IntegersAreRoundedToTheFormat) {
  EXPECT_EQ(table<float>("integer --positions=-2:2"),
            (std::vector<std::uint32_t>{to_bits(-2.0F), to_bits(-1.0F), 0, to_bits(1.0F)}));
  // Ties to even: 2^24 + 1 and 2^24 + 3, 2049 and 2051, 257 and 259; binary16 ends before 65520.
  EXPECT_EQ(table<float>("integer --positions 16777217:16777220"),
            (std::vector<std::uint32_t>{0x4b800000, 0x4b800001, 0x4b800002}));
  EXPECT_EQ(table<binary16>("integer --positions 2049:2052"),
            (std::vector<std::uint16_t>{0x6800, 0x6801, 0x6802}));
  EXPECT_EQ(table<binary16>("integer --positions 65519:65521"), (std::vector<std::uint16_t>{0x7bff, 0x7c00}));
  EXPECT_EQ(table<bfloat16>("integer --positions 257:260"),
            (std::vector<std::uint16_t>{0x4380, 0x4381, 0x4382}));
  EXPECT_EQ(table<double>("integer --positions 2147483647:2147483648"),
            std::vector<std::uint64_t>{to_bits(2147483647.0)});
  EXPECT_EQ(table<double>("integer --positions=-2147483648:-2147483647"),
            std::vector<std::uint64_t>{to_bits(-2147483648.0)});
  EXPECT_EQ(table<float>("integer").size(), 2048U);
}

TEST(TableOfEncodings, SinesAloneAreTheLibrarys) {
  const index_code config{.kind = index_code_kind::sine_only, .width = 7, .base = 100};
  EXPECT_EQ(table<double>("sine-only --width 7 --base 100 --positions=-300:300"),
            index_codes<double>({-300, 300}, config));
}

TEST(TableOfEncodings, SameCommandGivesTheSameBytesForAnyNumberOfThreads) {
  const std::vector<std::string> long_tables = {
      "sinusoidal --d-model 64 --positions=-3000:6001",
      "alibi-bias --heads 3 --queries 700 --keys 900",
      "alibi-slopes --heads 777",
      "t5-buckets --max-relative 200000",
      "binary --width 17 --positions 100000",
      "normalised --length 100000",
      "sine-only --width 17 --positions=-3000:6001",
      "integer --positions 100000",
      "xpos --rotary-dim 8 --side query --layout hf --positions 900"};
  for (const std::string& options : long_tables) {
    const std::string command = "table " + options + " --quiet --output - --threads ";
    const std::string name = run(command + "1").out;
    EXPECT_GT(name.size(), 128U);
    for (const std::string threads : {"1", "2", "7"}) EXPECT_EQ(run(command + threads).out, name) << options;
  }
}

TEST(TableOfEncodings, TextIsTheSameTwice) {
  for (const std::string& options : every_kind)
    for (const std::string format : {"json", "csv", "c", "glsl", "python", "rust", "npz", "safetensors"}) {
      const std::string command = "table " + options + " --quiet --output - --format " + format;
      const outcome outcome = run(command);
      EXPECT_EQ(outcome.code, 0) << outcome.err;
      EXPECT_EQ(outcome.out, run(command).out);
    }
}

TEST(TableOfEncodings, NoModelIsAskedForAndWhatWasUnderstoodIsOneLine) {
  for (const std::string& options : every_kind) {
    const outcome outcome = run("table " + options + " --output /dev/null");
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    EXPECT_EQ(lines_of(outcome.err), 1) << outcome.err;
  }
  EXPECT_EQ(run("table sinusoidal --d-model 6 --padding-idx 1 --output /dev/null").err,
            "sinusoidal: base 10000, d_model 6, shift 0, layout interleaved, padding_idx 1\n");
}

TEST(TableOfEncodings, RecordSaysEveryConvention) {
  const auto sinusoids = record(
      "sinusoidal --d-model 5 --odd zero --padding-idx 1 --shift 1 --layout cos-sin "
      "--positions 2");
  EXPECT_EQ(sinusoids["encoding"], (nlohmann::json{{"name", "sinusoidal"},
                                                   {"base", 10000.0},
                                                   {"d_model", 5},
                                                   {"shift", 1.0},
                                                   {"layout", "cos-sin"},
                                                   {"odd", "zero"},
                                                   {"padding_idx", 1}}));
  EXPECT_EQ(sinusoids["positions"], "0:2");
  EXPECT_EQ(record("alibi-bias --heads 2 --keys 2 --form symmetric")["encoding"],
            (nlohmann::json{{"name", "alibi"}, {"heads", 2}, {"form", "symmetric"}}));
  EXPECT_EQ(record("t5-buckets --causal")["encoding"],
            (nlohmann::json{
                {"name", "t5_bias"}, {"buckets", 32}, {"max_distance", 128}, {"bidirectional", false}}));
  EXPECT_EQ(record("binary --width 2 --bit-order msb")["encoding"],
            (nlohmann::json{{"name", "binary"}, {"width", 2}, {"bit_order", "msb"}}));
  EXPECT_EQ(record("normalised --positions 3")["encoding"],
            (nlohmann::json{{"name", "normalised"}, {"length", 3}}));
  EXPECT_EQ(record("integer --positions 3")["encoding"], (nlohmann::json{{"name", "integer"}}));
  for (const std::string& options : every_kind)
    for (const char* key : {"units", "convention", "rounding", "axes"})
      EXPECT_FALSE(record(options)[key].get<std::string>().empty()) << options;
}

TEST(TableOfEncodings, DigitsAreCorrectlyRounded) {
  const auto digits = [](const std::string& options) { return record(options + " --digits 20")["rows"]; };
  // sin 1 and cos 1.
  EXPECT_EQ(digits("sinusoidal --d-model 2 --positions 1:2")[0]["sinusoidal"],
            (nlohmann::json{"8.4147098480789650665e-01", "5.4030230586813971740e-01"}));
  EXPECT_EQ(digits("alibi-slopes --heads 12")[8]["alibi_slopes"], "7.0710678118654752440e-01");  // 2^-0.5
  EXPECT_EQ(digits("alibi-bias --heads 1 --keys 2")[1]["alibi_bias"],
            (nlohmann::json{"-3.9062500000000000000e-03", "0"}));
  EXPECT_EQ(digits("normalised --length 4")[1]["normalised"], nlohmann::json{"3.3333333333333333333e-01"});
  EXPECT_EQ(digits("integer --positions=-12:-11")[0]["integer"],
            nlohmann::json{"-1.2000000000000000000e+01"});
  EXPECT_EQ(digits("binary --width 1")[1]["binary"], nlohmann::json{"1.0000000000000000000e+00"});
  EXPECT_EQ(digits("sine-only --width 1 --positions 1:2")[0]["sine_only"],
            nlohmann::json{"8.4147098480789650665e-01"});
}

}  // namespace
}  // namespace ropewalk::command
