// Every kind of report is what its readers accept, with every field set and whatever names hold: validate.py
// reads them.

#include <gtest/gtest.h>
#include <stdlib.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "output/plain_text.hpp"
#include "report/report.hpp"
#include "ropewalk/law/addition_laws.hpp"
#include "ropewalk/law/rotation_laws.hpp"
#include "verify/verification.hpp"

namespace ropewalk::report::report_files_test {

using output::markup_text;
using output::plain_line;
using output::plain_text;

namespace {

using verify::result;
using verify::results;

/// Names in which each format has a meaning of its own, and bytes that are not text.
const std::vector<std::string> hostile = {"a|b``c`<img src=x>&amp; \"'",
                                          "]]>\r\n::error::x\n| x |\n# y",
                                          "\x1b[31m\x7f\xff\xfe\xed\xa0\x80\xc0\xaf",
                                          "{0} [x](y) *b* _i_ ~~s~~ \\| $x$ @all #1",
                                          "\xe2\x80\xae\xe2\x80\xa8\xef\xbf\xbe \xc3\xbc",
                                          std::string("\0x", 2),
                                          "\n```\n<script>\n```"};

search::counterexample failure_of(const std::string& text) {
  search::counterexample failure;
  failure.table = text;
  failure.measured.worst = 1.5;
  failure.measured.trouble = text;
  return failure;
}

/// A result with every field that a report may have.
result full(const std::string& name) {
  result full;
  full.kernel = name;
  full.model = name;
  full.law = rotation_laws::extrapolation.text();
  full.needs.one_range = true;
  full.no_bound = name;
  full.beyond = name;
  full.some_vacuous_from = 3;
  full.every_vacuous_from = 5;
  full.reproduce = name;
  full.outcome.cases = 7;
  full.outcome.compared = 5;
  full.outcome.vacuous = 2;
  full.outcome.other_bits = 1;
  full.outcome.declined = 1;
  full.outcome.declined_because = "status 3, " + name + ": " + name;
  full.outcome.undecided_cases = 1;
  full.outcome.undecided = name;
  full.outcome.worst.worst = 1.0 / 0.0;
  full.outcome.worst.bound = 1e-7;
  return full;
}

/// The lines that differ in what was found, and laws of every kind of subject.
std::vector<result> lines_named(const std::string& name) {
  result fails = full(name), not_served = full(name), no_bound = full(name), not_judged = full(name);
  fails.outcome.failure = failure_of(name);
  fails.is_shown = true;
  result other = fails, table = fails, repeats = fails;
  other.outcome.failure->is_reproducible = false;
  other.law = addition_laws::all.front().text();
  table.law = {"same-name", "one statement", "", "", "", ""};
  table.kernel = verify::tables_label;
  table.model = "not " + name;
  repeats.is_shown = false;
  repeats.dtype = ROPEWALK_BF16;
  no_bound.outcome.failure.reset();
  not_served.no_bound.clear();
  not_judged.no_bound.clear();
  not_judged.beyond.clear();
  not_judged.outcome.declined = 70;
  return {fails, other, table, repeats, not_served, no_bound, not_judged};
}

results everything(const std::string& name) {
  results everything;
  everything.command_line = everything.device = everything.cut = everything.left_out = name;
  everything.seed = ~std::uint64_t{0};
  everything.limits = everything.failed_on = everything.not_judged = everything.awaits =
      everything.ended = {name, "another"};
  everything.lines = lines_named(name);
  everything.files = {{name, name}};
  everything.diagnoses.push_back(
      {name, {name}, {.faults = {{"fault-tail", name}}, .sentence = name, .common = name}});
  verify::promise_result kept{.kernel = name, .untried = name};
  kept.in_dtypes = {{.kept = promise::angle_f32, .cases = 9}, {.dtype = ROPEWALK_F16, .missing = name}};
  everything.promises.push_back(kept);
  return everything;
}

/// Writes every kind of report; "" if validate.py accepts them, otherwise what it says.
std::string complaints(const results& results) {
  std::string name = "/tmp/ropewalk-report-XXXXXX";
  const std::filesystem::path folder = mkdtemp(name.data());
  std::string command = std::string("/usr/bin/python3 ") + ROPEWALK_SOURCE + "/tests/report/validate.py";
  for (const report_kind& kind : report_kinds) {
    const std::filesystem::path file = folder / kind.name;
    std::ofstream(file, std::ios::binary) << kind.text(results);
    command += " " + std::string(kind.name) + "=" + file.string();
  }
  const std::filesystem::path said = folder / "said";
  const int status = std::system((command + " >" + said.string() + " 2>&1").c_str());
  std::ifstream text(said);
  const std::string complaints{std::istreambuf_iterator<char>(text), {}};
  std::filesystem::remove_all(folder);
  return status == 0 ? complaints : "exit " + std::to_string(status) + "\n" + complaints;
}

TEST(ReportFiles, WithEveryFieldAreAcceptedByTheirReaders) { EXPECT_EQ(complaints(everything("plain")), ""); }

TEST(ReportFiles, OfNothingAreAcceptedByTheirReaders) { EXPECT_EQ(complaints(results{}), ""); }

TEST(ReportFiles, WithHostileNamesAreAcceptedByTheirReaders) {
  results all = everything(hostile.front());
  for (std::size_t i = 1; i < hostile.size(); ++i) {
    const results more = everything(hostile[i]);
    all.lines.insert(all.lines.end(), more.lines.begin(), more.lines.end());
    all.diagnoses.insert(all.diagnoses.end(), more.diagnoses.begin(), more.diagnoses.end());
    all.promises.insert(all.promises.end(), more.promises.begin(), more.promises.end());
    all.ended.insert(all.ended.end(), more.ended.begin(), more.ended.end());
    all.limits.insert(all.limits.end(), more.limits.begin(), more.limits.end());
    all.files.insert(more.files.begin(), more.files.end());
    all.command_line += more.command_line;
  }
  EXPECT_EQ(complaints(all), "");
}

TEST(ReportFiles, AnnotationsOfHostileNamesAreOneCommandEach) {
  for (const std::string& name : hostile) {
    std::istringstream lines(as_annotations(everything(name)));
    for (std::string line; std::getline(lines, line);) {
      EXPECT_EQ(line.rfind("::error ", 0), 0u) << line;
      const std::size_t text = line.find("::", 2);
      ASSERT_NE(text, line.npos);
      EXPECT_EQ(line.substr(0, text).find('\r'), line.npos);
    }
  }
}

TEST(ReportFiles, AreNamedOnceAndFoundByName) {
  std::set<std::string_view> names;
  for (const report_kind& kind : report_kinds) {
    EXPECT_TRUE(names.insert(kind.name).second);
    EXPECT_EQ(report_kind_named(kind.name), &kind);
  }
  EXPECT_EQ(report_kind_named("xml"), nullptr);
  EXPECT_EQ(report_kind_named(""), nullptr);
}

TEST(ReportFiles, AllHoldsOnlyWithoutAnythingThatExitsWithOne) {
  results results;
  EXPECT_TRUE(verify::all_hold(results));
  results.lines = {lines_named("x").back()};  // not judged
  EXPECT_FALSE(verify::all_hold(results));
  results.not_judged = {"x"};
  results.allows_declined = true;
  EXPECT_TRUE(verify::all_hold(results));
  results.lines = {lines_named("x").front()};
  EXPECT_FALSE(verify::all_hold(results));
  results.lines.clear();
  results.ended = {"x"};
  EXPECT_FALSE(verify::all_hold(results));
  results.ended.clear();
  results.failed_on = {"x"};
  EXPECT_FALSE(verify::all_hold(results));
}

TEST(ReportFiles, ASummaryOfThousandsOfFailuresFitsIntoGitHubsMebibyte) {
  results results;
  for (int i = 0; i < 3000; ++i) {
    results.lines.push_back(lines_named(std::string(80, 'k')).front());
    results.lines.back().model = "model " + std::to_string(i);
  }
  const std::string text = as_markdown(results);
  EXPECT_LT(text.size(), std::size_t{1} << 20);
  EXPECT_NE(text.find("\n2500 more failures: --report json=FILE has them all\n"), text.npos);
  EXPECT_NE(text.find("### ropewalk verify: 3000 of 3000 verdicts fail\n"), text.npos);
}

TEST(ReportFiles, ALibraryIsItsFileAndAProgramTheFirstThatItsCommandNamesByARelativePath) {
  std::string name = "/tmp/ropewalk-report-XXXXXX";
  const std::filesystem::path folder = mkdtemp(name.data()), before = std::filesystem::current_path();
  std::filesystem::current_path(folder);
  std::ofstream("mine.py") << "";
  std::ofstream("weights.bin") << "";
  const auto file_of_kernel = [](const char* origin) {
    return verify::chosen_kernel{nullptr, origin}.file();
  };
  EXPECT_EQ(file_of_kernel("library:./a b.so"), "./a b.so");
  EXPECT_EQ(file_of_kernel("program:/bin/sh ./mine.py weights.bin"), "./mine.py");
  EXPECT_EQ(file_of_kernel("program:nothing here"), "");
  EXPECT_EQ(file_of_kernel("files:folder"), "");
  EXPECT_EQ(file_of_kernel(""), "");
  std::filesystem::current_path(before);
  std::filesystem::remove_all(folder);
}

TEST(ReportFiles, AFileBelowTheWorkingDirectoryIsRelativeToIt) {
  results results;
  result result;
  result.kernel = "k";
  result.model = "m";
  EXPECT_EQ(shown_file_of(results, result), "");
  results.files["m"] = "x/../config.json";
  EXPECT_EQ(shown_file_of(results, result), "config.json");
  results.files["k"] = (std::filesystem::current_path() / "./k.so").string();  // the kernel's goes first
  EXPECT_EQ(shown_file_of(results, result), "k.so");
  results.files["k"] = "/elsewhere/k.so";
  EXPECT_EQ(shown_file_of(results, result), "/elsewhere/k.so");
}

TEST(PlainText, KeepsTextAndShowsEveryOtherByte) {
  EXPECT_EQ(plain_text("a\tb\n\xc3\xbc\xe6\xbc\xa2\xf0\x9f\x98\x80"),
            "a\tb\n\xc3\xbc\xe6\xbc\xa2\xf0\x9f\x98\x80");
  EXPECT_EQ(plain_line("a\tb\n"), "a\\tb\\n");
  EXPECT_EQ(plain_text(std::string_view("\0\x1b\x7f", 3)), "\\x00\\x1b\\x7f");
  EXPECT_EQ(plain_text("\xc0\xaf"), "\\xc0\\xaf");                    // not the shortest form
  EXPECT_EQ(plain_text("\xed\xa0\x80"), "\\xed\\xa0\\x80");           // a surrogate
  EXPECT_EQ(plain_text("\xf4\x90\x80\x80"), "\\xf4\\x90\\x80\\x80");  // above U+10FFFF
  EXPECT_EQ(plain_text("\xe6\xbc"), "\\xe6\\xbc");                    // ends within a character
  EXPECT_EQ(plain_text("\xef\xbf\xbf\xe2\x80\xae\xc2\x85"), "\\xef\\xbf\\xbf\\xe2\\x80\\xae\\xc2\\x85");
  EXPECT_EQ(markup_text("a|b<c>"), "a&#124;b&#60;c&#62;");
}

}  // namespace
}  // namespace ropewalk::report::report_files_test
