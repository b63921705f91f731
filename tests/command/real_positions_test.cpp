// Tables at real positions: exact at every finite binary64, and in no other command.

#include <gtest/gtest.h>

#include <cmath>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string>
#include <vector>

#include "command/array_file.hpp"
#include "command/program.hpp"

namespace ropewalk::command {
namespace {

TEST(RealPositions, WholeOnesGiveTheBytesOfIntegers) {
  const scratch_folder folder;
  folder.put("p.npy", real_list({5, 6, 7}));
  for (const std::string kind : {"cos", "sin", "cos-sin --layout hf"}) {
    const std::string table = "table " + kind + " --model llama-3.1-8b --quiet --output - --dtype f64 ";
    const std::string whole = run(table + "--positions 5:8").out;
    EXPECT_FALSE(whole.empty());
    EXPECT_EQ(run(table + "--positions-f64 " + folder / "p.npy").out, whole) << kind;
  }
}

TEST(RealPositions, OfEverySizeAreExact) {
  const scratch_folder folder;
  folder.put("p.npy", real_list({0.5, -0.0, 1e300, 5e-324}));
  const std::string which =
      " --base 10000 --head-dim 2 --quiet --dtype f64 --positions-f64 " + folder / "p.npy";
  ASSERT_EQ(run("table cos" + which + " --output " + folder / "c.npy").code, 0);
  ASSERT_EQ(run("table sin" + which + " --output " + folder / "s.npy").code, 0);
  // By MPFR with 1200 bits; the sine of -0 is +0.
  EXPECT_EQ(elements<double>(folder / "c.npy"),
            (std::vector<std::uint64_t>{to_bits(0x1.c1528065b7d5p-1), to_bits(1.0),
                                        to_bits(-0x1.2699022adc4c1p-1), to_bits(1.0)}));
  EXPECT_EQ(elements<double>(folder / "s.npy"),
            (std::vector<std::uint64_t>{to_bits(0x1.eaee8744b05fp-2), 0, to_bits(-0x1.a2c16b010e385p-1), 1}));
}

TEST(RealPositions, AreShownAsShortestDecimals) {
  const scratch_folder folder;
  folder.put("p.npy", real_list({0.1, -0.0, -2.5, 1e300, 7}));
  const std::string table =
      "table sin --base 10000 --head-dim 2 --quiet --output - --positions-f64 " + folder / "p.npy";
  std::istringstream lines(run(table + " --format csv").out);
  std::string line;
  std::getline(lines, line);
  EXPECT_EQ(nlohmann::json::parse(line.substr(2))["positions"], "5 listed in binary64");
  std::getline(lines, line);
  for (const std::string position : {"0.1,", "0,0", "-2.5,", "1e+300,", "7,"}) {
    std::getline(lines, line);
    EXPECT_TRUE(line.starts_with(position)) << line;
  }
  const auto rows = nlohmann::json::parse(run(table + " --format json").out)["rows"];
  EXPECT_EQ(rows[0]["position"], 0.1);
  EXPECT_EQ(rows[3]["position"], 1e300);
}

TEST(RealPositions, HaveDigits) {
  const scratch_folder folder;
  folder.put("p.npy", real_list({0.5, 1e300, 5e-324}));
  const std::string out =
      run("table sin --base 10000 --head-dim 2 --quiet --format csv --digits 30 --output - "
          "--positions-f64 " +
          folder / "p.npy")
          .out;
  // By MPFR with 1200 bits.
  EXPECT_NE(out.find("\n0.5,4.79425538604203000273287935216e-01\n"), std::string::npos) << out;
  EXPECT_NE(out.find("\n1e+300,-8.17881912115908597045885282755e-01\n"), std::string::npos) << out;
  EXPECT_NE(out.find("\n5e-324,4.94065645841246544176568792868e-324\n"), std::string::npos) << out;
}

TEST(RealPositions, ThatAreNoneAreRefused) {
  const scratch_folder folder;
  const auto refused = [&](const std::string& kind, const std::string& file, const std::string& more,
                           const std::string& words) {
    const outcome outcome = run("table " + kind + " --base 10000 --head-dim 4 --output " +
                                folder / "out.npy" + more + " --positions-f64 " + file);
    EXPECT_EQ(outcome.code, 2) << words;
    EXPECT_EQ(lines_of(outcome.err), 1) << outcome.err;
    EXPECT_NE(outcome.err.find("positions-f64 is "), std::string::npos) << outcome.err;
    EXPECT_NE(outcome.err.find(words), std::string::npos) << outcome.err;
  };
  const std::string good = folder.put("p.npy", real_list({1}));
  refused("cos", good, " --positions 3", "allowed: only without --positions 3");
  for (const std::string kind : {"inv-freq", "turns", "ggml-factors"})
    refused(kind, good, "", "allowed: none for " + kind);
  refused("cos", folder.put("nan.npy", real_list({1, std::nan("")})), "", "(entry 1 is not a number)");
  refused("cos", folder.put("inf.npy", real_list({-HUGE_VAL})), "", "(entry 0 is infinite)");
  refused("cos", folder.put("none.npy", real_list({})), "", "at least one position");
  refused("cos", folder.put("f32.npy", tables::npy_header_bytes({npy_dtype::f32, {1}}) + "1234"), "",
          "(descr <f4); allowed: descr <f8");
  refused("cos", folder.put("square.npy", tables::npy_header_bytes({npy_dtype::f64, {1, 1}}) + "12345678"),
          "", "(not a list)");
  EXPECT_EQ(folder.entries(), 6);  // the lists, and nothing written
}

TEST(RealPositions, AreForTablesAlone) {
  for (const std::string command : {"verify", "apply --kernel exact --input x.npy --output y.npy"}) {
    const outcome outcome = run(command + " --model llama-2-7b --positions-f64 p.npy");
    EXPECT_EQ(outcome.code, 2);
    EXPECT_NE(outcome.err.find("positions-f64"), std::string::npos) << outcome.err;
  }
}

}  // namespace
}  // namespace ropewalk::command
