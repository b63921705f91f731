// Reports in JSON, JUnit and as annotations, whatever a kernel says.

#include <gtest/gtest.h>

#include <algorithm>
#include <iterator>
#include <nlohmann/json.hpp>
#include <pugixml.hpp>

#include "report/example_results.hpp"
#include "report/report.hpp"
#include "ropewalk/law/rotation_laws.hpp"
#include "verify/verification.hpp"

namespace ropewalk::report::report_test {
namespace {

TEST(Report, JsonCarriesEverything) {
  const auto read = nlohmann::json::parse(as_json(mixed()));
  for (const char* key :
       {"written_by", "command", "compiler", "cpu", "seed", "totals", "verdicts", "promises"})
    EXPECT_TRUE(read.contains(key)) << key;
  EXPECT_EQ(read["verdicts"].size(), mixed().lines.size());
  EXPECT_EQ(read["command"], "ropewalk verify <&>");
  std::int64_t all = 0;
  for (const auto& [name, count] : read["totals"].items())
    if (name != "verdicts" && name != "cases") all += count.get<std::int64_t>();
  EXPECT_EQ(all, read["totals"]["verdicts"]);
  bool ranges = false;
  for (const auto& verdict : read["verdicts"]) {
    EXPECT_GT(verdict["cases"], 0);
    if (verdict.contains("ranges")) ranges = verdict["ranges"].size() == position_ranges;
    EXPECT_EQ(verdict["verdict"] == "FAILS", verdict.contains("counterexample"));
  }
  EXPECT_TRUE(ranges);
}

TEST(Report, JunitCountsTestsAndFailures) {
  pugi::xml_document document;
  const std::string text = as_junit(mixed());
  ASSERT_TRUE(document.load_string(text.c_str())) << text;
  const pugi::xml_node all = document.child("testsuites");
  EXPECT_EQ(all.attribute("tests").as_int(), static_cast<int>(mixed().lines.size()));
  const auto failures = document.select_nodes("//failure");
  EXPECT_EQ(all.attribute("failures").as_int(), static_cast<int>(failures.size()));
  EXPECT_EQ(totals_of(mixed()).failed, static_cast<std::int64_t>(failures.size()));
  EXPECT_EQ(document.select_nodes("//testsuite").size(), 2u);
}

TEST(Report, JunitSaysWhateverExitsWithOne) {
  results results;
  results.lines = {mixed().lines.front()};
  results.lines[0].outcome = {};
  results.lines[0].outcome.declined = 2;
  results.not_judged = {"k: nothing judged"};
  const auto errors = [&] {
    pugi::xml_document document;
    document.load_string(as_junit(results).c_str());
    EXPECT_EQ(document.child("testsuites").attribute("errors").as_int(),
              static_cast<int>(document.select_nodes("//error").size()));
    EXPECT_EQ(document.child("testsuites").attribute("tests").as_int(),
              static_cast<int>(document.select_nodes("//testcase").size()));
    return document.select_nodes("//error").size();
  };
  EXPECT_EQ(errors(), 2u);
  results.allows_declined = true;
  EXPECT_EQ(errors(), 0u);
  results.failed_on = {"left out: norm"};
  EXPECT_EQ(errors(), 1u);
}

TEST(Report, AnnotationsStandOnOneLineEach) {
  const std::string text = as_annotations(mixed());
  std::istringstream lines(text);
  int count = 0;
  for (std::string name; std::getline(lines, name); ++count)
    EXPECT_EQ(name.find("::error title=ropewalk "), 0u) << name;
  EXPECT_GT(count, 0);
  EXPECT_NE(as_markdown(mixed()).find("| <code>faults.so:fault-position-off-by-one</code> |"),
            std::string::npos);
}

TEST(Report, WhatAStrangerSaysIsOneLineAndWellFormedXml) {
  const results results =
      report_of([](const ropewalk_plan*, const ropewalk_head*, ropewalk_error* error) -> std::int32_t {
        std::fill(std::begin(error->text), std::end(error->text), '\x1b');
        error->field[0] = '\n';
        error->field[1] = '\0';
        return ROPEWALK_INVALID_ARGUMENT;
      });
  EXPECT_NE(as_text(results).find("\\x1b"), std::string::npos);
  EXPECT_NE(as_text(results).find("\n  because: status "), std::string::npos);
  for (const std::string& text : {as_text(results), as_junit(results)}) {
    EXPECT_EQ(text.find('\x1b'), std::string::npos);
    EXPECT_EQ(text.find("&#"), std::string::npos);
  }
}

TEST(Report, JunitHasNoControlCharacters) {
  results results = mixed();
  results.command_line = "ropewalk \x01\x1b verify";
  const std::string text = as_junit(results);
  EXPECT_EQ(text.find("&#01"), std::string::npos);
  EXPECT_NE(text.find(R"(ropewalk \x01\x1b verify)"), std::string::npos);
}

}  // namespace
}  // namespace ropewalk::report::report_test
