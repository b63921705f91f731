// Tables of encodings beside the rotary one: comparisons, and what is refused.

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "command/program.hpp"
#include "command/table_kinds.hpp"
#include "export/npy.hpp"
#include "input/array_file.hpp"

namespace ropewalk::command {
namespace {

TEST(CompareEncodings, EveryTableHoldsAgainstItself) {
  for (const std::string& options : every_kind) {
    const scratch_folder folder;
    ASSERT_EQ(run("table " + options + " --quiet --output " + folder / "t.npy").code, 0);
    const outcome outcome = run("table " + options + " --quiet --compare " + folder / "t.npy");
    EXPECT_EQ(outcome.code, 0) << options << outcome.err;
    EXPECT_NE(outcome.out.find("(100.0000 %)"), std::string::npos) << outcome.out;
  }
}

/// What a comparison says when the last entry of a table is one step of its bits too large.
outcome compared_with_last_moved(const std::string& options, const std::string& how = "") {
  const scratch_folder folder;
  EXPECT_EQ(run("table " + options + " --quiet --output " + folder / "t.npy").code, 0);
  std::string bytes = text_of(folder / "t.npy");
  char& last = bytes[bytes.size() - 4];
  last = static_cast<char>(last + 1);
  folder.put("t.npy", bytes);
  return run("table " + options + " --quiet " + how + " --compare " + folder / "t.npy");
}

TEST(CompareEncodings, TheWorstEntryHasItsPlace) {
  const std::vector<std::string> places = {"position 8, channel 5, pair 2, cos",
                                           "head 11",
                                           "head 2, query 3, key 6",
                                           "relative_position 40",
                                           "position 31, bit 4",
                                           "position 8",
                                           "position 8, channel 4",
                                           "position 8",
                                           "position 8, pair 2, sin",
                                           "row 8, column 7, pair 3, sin",
                                           "position 3, channel 1",
                                           "axis 1, token 14",
                                           "head 1, axis 0 8, axis 1 7, pair 2, sin",
                                           "axis 0 0, axis 1 0, axis 2 5, pair 29, sin",
                                           "axis 0 0, axis 1 2, axis 2 1, cells 1, pair 63, sin"};
  ASSERT_EQ(places.size(), every_kind.size());
  for (std::size_t i = 0; i < every_kind.size(); ++i) {
    const outcome outcome = compared_with_last_moved(every_kind[i]);
    EXPECT_EQ(outcome.code, 1) << outcome.err;
    EXPECT_NE(outcome.out.find("1 ulp at " + places[i] + "\n"), std::string::npos) << outcome.out;
  }
  const auto report = nlohmann::json::parse(compared_with_last_moved(every_kind[0], "--json").out);
  EXPECT_EQ(report["largest_error"]["at"],
            (nlohmann::json{{"position", 8}, {"channel", 5}, {"pair", 2}, {"of", "cos"}}));
}

TEST(CompareEncodings, OtherFormatsAndShapesAreRefused) {
  const scratch_folder folder;
  ASSERT_EQ(run("table alibi-slopes --heads 12 --quiet --output " + folder / "t.npy").code, 0);
  EXPECT_NE(run("table t5-buckets --compare " + folder / "t.npy").err.find("allowed: descr <i4"),
            std::string::npos);
  EXPECT_NE(run("table alibi-slopes --heads 8 --compare " + folder / "t.npy").err.find("allowed: shape (8)"),
            std::string::npos);
}

/// Exit 2, nothing on stdout, one line on stderr that begins so and says what is allowed.
void expect_refusal(const std::string& options, const std::string& start) {
  const outcome outcome = run("table " + options + " --output -");
  EXPECT_EQ(outcome.code, 2) << options;
  EXPECT_EQ(outcome.out, "") << options;
  EXPECT_EQ(lines_of(outcome.err), 1) << outcome.err;
  EXPECT_TRUE(outcome.err.starts_with("ropewalk: " + start)) << outcome.err;
  EXPECT_NE(outcome.err.find("; allowed: "), std::string::npos) << outcome.err;
}

TEST(TableOptions, OptionsOfSinusoidsAreChecked) {
  expect_refusal("sinusoidal", "d-model is missing");
  for (const std::string d_model : {"0", "1", "-2", "65537", "65538", "many", "4.5", "99999999999"})
    expect_refusal("sinusoidal --d-model=" + d_model, "d-model is " + d_model + ";");
  expect_refusal("sinusoidal --d-model 5", "d-model is 5; allowed: an even number, unless odd is zero");
  expect_refusal("sinusoidal --d-model 5 --odd refuse", "d-model is 5;");
  for (const std::string base : {"1", "0", "-3", "nan", "inf", "1e999", "ten", "0x10"})
    expect_refusal("sinusoidal --d-model 4 --base=" + base, "base is " + base + ";");
  const std::string some = "sinusoidal --d-model 4 ";
  expect_refusal(some + "--shift half", "shift is half; allowed: a multiple of 1/65536 from -32767");
  expect_refusal(some + "--shift 0.1", "shift is 0.1; allowed: a multiple of 1/65536");
  expect_refusal(some + "--shift 1.5", "shift is 1.5; allowed: a number up to the number of pairs - 1");
  for (const std::string scale : {"0", "-1", "nan", "1e+20", "x"})
    expect_refusal(some + "--scale=" + scale,
                   "scale is " + scale + "; allowed: a number above 0, up to 2^64");
  expect_refusal(some + "--layout vllm", "layout is vllm; allowed: interleaved, sin-cos, cos-sin");
  expect_refusal(some + "--odd one", "odd is one; allowed: zero, refuse");
  for (const std::string index : {"-1", "2147483648", "one"})
    expect_refusal(some + "--padding-idx=" + index, "padding-idx is " + index + ";");
  expect_refusal(some + "--positions 5:5", "positions is 5:5;");
  expect_refusal(some + "--dtype f8", "dtype is f8;");
}

TEST(TableOptions, OptionsOfAlibiAreChecked) {
  for (const std::string kind : {"alibi-slopes", "alibi-bias --keys 3"}) {
    expect_refusal(kind, "heads is missing");
    for (const std::string heads : {"0", "-1", "65537", "x"})
      expect_refusal(kind + " --heads=" + heads, "heads is " + heads + ";");
  }
  const std::string bias = "alibi-bias --heads 3 ";
  expect_refusal(bias, "keys is missing");
  for (const std::string keys : {"0", "-1", "1048577", "x"})
    expect_refusal(bias + "--keys=" + keys, "keys is " + keys + ";");
  for (const std::string queries : {"0", "-1", "5", "x"})
    expect_refusal(bias + "--keys 4 --queries=" + queries,
                   "queries is " + queries + "; allowed: a whole number from 1 to 4");
  expect_refusal(bias + "--keys 4 --form alibi",
                 "form is alibi; allowed: causal, symmetric, bloom, mpt, flash-attention");
}

TEST(TableOptions, OptionsOfBucketsAreChecked) {
  for (const std::string count : {"3", "0", "-4", "1025", "x"})
    expect_refusal("t5-buckets --buckets=" + count, "buckets is " + count + ";");
  expect_refusal("t5-buckets --buckets 1 --causal", "buckets is 1;");
  for (const std::string distance : {"8", "0", "-4", "x"})
    expect_refusal("t5-buckets --max-distance=" + distance, "max-distance is " + distance + ";");
  for (const std::string relative : {"-1", "1073741825", "x"})
    expect_refusal("t5-buckets --max-relative=" + relative, "max-relative is " + relative + ";");
  expect_refusal("t5-buckets --causal --bidirectional",
                 "causal is given; allowed: only without --bidirectional");
  expect_refusal("t5-buckets --dtype f32", "dtype is f32; allowed: none for t5-buckets");
  expect_refusal("t5-buckets --digits 9 --format json", "digits is 9; allowed: none for t5-buckets");
}

TEST(TableOptions, OptionsOfIndexCodesAreChecked) {
  expect_refusal("binary", "width is missing");
  expect_refusal("sine-only", "width is missing");
  for (const std::string width : {"0", "-1", "63", "x"})
    expect_refusal("binary --width=" + width, "width is " + width + ";");
  for (const std::string width : {"0", "65537"})
    expect_refusal("sine-only --width=" + width, "width is " + width + ";");
  expect_refusal("sine-only --width 3 --base 1", "base is 1;");
  expect_refusal("binary --width 3 --bit-order big", "bit-order is big; allowed: lsb, msb");
  for (const std::string length : {"0", "-1", "2147483649", "x"})
    expect_refusal("normalised --length=" + length, "length is " + length + ";");
}

TEST(TableOptions, PositionsWithoutACodeAreRefused) {
  expect_refusal("binary --width 3 --positions 9",
                 "positions is 0:9 (position 8); allowed: positions from 0 to 7, as width 3 has bits for");
  expect_refusal("binary --width 3 --positions=-1:2", "positions is -1:2 (position -1);");
  expect_refusal("normalised --length 4 --positions 5",
                 "positions is 0:5 (position 4); allowed: positions from 0 to 3, as length 4 says");
  expect_refusal("normalised --positions=-3:-1", "positions is -3:-1 (position -3);");
  const scratch_folder folder;
  const std::int32_t listed[] = {3, 8, 1};
  folder.put("p.npy", tables::npy_header_bytes({npy_dtype::i32, {3}}) +
                          std::string(reinterpret_cast<const char*>(listed), sizeof listed));
  expect_refusal("binary --width 3 --positions " + folder / "p.npy", "positions is 3 listed (position 8);");
}

TEST(TableOptions, OptionsOfOtherKindsAreRefused) {
  const std::vector<std::string> of_rope = {"--config x",  "--model x",   "--head-dim 4", "--rotary-dim 4",
                                            "--pairing x", "--scaling x", "--seq-len 4",  "--layer x"};
  const auto refused = [](const std::string& options, const std::string& foreign) {
    const std::string name = foreign.substr(2, foreign.find(' ') - 2),
                      kind = options.substr(0, options.find(' '));
    const std::string value =
        foreign.find(' ') == std::string::npos ? "given" : foreign.substr(foreign.find(' ') + 1);
    expect_refusal(options + " " + foreign,
                   name + " is " + value + "; allowed: none for " + kind + ", only for ");
  };
  const auto takes = [](const std::string& options, const std::string& foreign) {
    if (foreign.starts_with("--config"))
      for (const char* const kind : {"sinusoidal", "alibi", "t5", "learned"})
        if (options.starts_with(kind)) return true;
    if (foreign.starts_with("--config") || foreign.starts_with("--model"))
      for (const char* const kind : {"positions", "skewed", "pooled"})
        if (options.starts_with(kind)) return true;
    return options.starts_with("axes") || (options.starts_with("xpos") && foreign == "--rotary-dim 4");
  };
  for (const std::string& options : every_kind)
    for (const std::string& foreign : of_rope)
      if (!takes(options, foreign)) refused(options, foreign);
  for (const std::size_t without_positions : {1, 2, 3})
    for (const std::string foreign : {"--positions 3", "--positions-f64 x.npy", "--base 3"})
      refused(every_kind[without_positions], foreign);
  for (const std::string options : {"binary --width 3", "normalised"})
    for (const std::string foreign : {"--positions-f64 x.npy", "--base 3"}) refused(options, foreign);
  for (const std::string foreign :
       {"--d-model 4",      "--shift 1",        "--scale 2",       "--odd x",        "--padding-idx 1",
        "--heads 3",        "--queries 3",      "--keys 3",        "--form x",       "--buckets 3",
        "--max-distance 3", "--max-relative 3", "--bidirectional", "--causal",       "--width 3",
        "--length 3",       "--bit-order x",    "--side key",      "--scale-base 3", "--weights x",
        "--frequencies x"})
    refused("cos --base 10000 --head-dim 4", foreign);
  refused("inv-freq --base 10000 --head-dim 4", "--axes pixtral");
  refused("alibi-slopes --heads 3", "--form causal");
  refused("alibi-slopes --heads 3", "--layout vllm");
  refused("normalised", "--width 3");
  refused("sine-only --width 3", "--length 3");
  refused("integer", "--width 1");
  refused("learned", "--d-model 4");
  refused("xpos", "--scaling x");
}

TEST(TableOptions, NothingIsLeftBehindByARefusal) {
  const scratch_folder folder;
  EXPECT_EQ(run("table binary --width 3 --positions 9 --output " + folder / "t.npy").code, 2);
  EXPECT_EQ(folder.entries(), 0);
}

}  // namespace
}  // namespace ropewalk::command
