// Reports as text: kernels, laws and failures in a few lines.

#include "report/report.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <regex>

#include "kernel/kernels.hpp"
#include "report/example_results.hpp"
#include "ropewalk/law/rotation_laws.hpp"
#include "verify/verification.hpp"

namespace ropewalk::report::report_test {
namespace {

const result& failing(std::string_view law_name) {
  for (const result& line : mixed().lines)
    if (line.law.name == law_name && !line.outcome.holds()) return line;
  throw std::invalid_argument(std::string(law_name));
}

TEST(Report, HasALineForEachKernelDtypeAndLaw) {
  // The model has one axis, and the fault's kernel takes no positions in binary64, here in two dtypes.
  const std::size_t without_own_axis = rotation_laws::all.size() - 1;
  EXPECT_EQ(mixed().lines.size(), 2 * without_own_axis + 2 * (without_own_axis - 1));
  const totals sum = totals_of(mixed());
  EXPECT_EQ(sum.lines, sum.count + sum.failed + sum.not_served);
  EXPECT_GT(sum.failed, 0);
  for (const result& line : mixed().lines) {
    if (line.kernel == "cpu-table") {
      EXPECT_EQ(verdict_of(line), "holds") << line.law.name;
    }
  }
}

TEST(Report, AFailureNamesPlaceNumbersAndCommand) {
  const std::string text = counterexample_of(failing("accuracy"));
  for (const char* part :
       {"smallest case found", "query[0, 0, 0, ", "at query row 0 token 0 head 0 pair ", " (channels ",
        "expected ", "p+", "got      ", "observed / bound of this case: ",
        "again:  ropewalk verify --model gpt-j-6b --kernel library:faults.so#fault-position-off-by-one --law "
        "accuracy "
        "--dtype f32 --promise canonical --seed 1 --cases "})
    EXPECT_NE(text.find(part), std::string::npos) << part << "\n" << text;
}

TEST(Report, AFailureOfTwoCallsSaysWhichTheyAre) {
  result result = failing("accuracy");
  result.law.name = rotation_laws::prefill_decode.name;
  result.outcome.failure->measured.call = "token 1 alone";
  const std::string text = counterexample_of(result);
  EXPECT_TRUE(std::regex_search(
      text, std::regex(
                "in one call     .* \\(all tokens at once\\)\n    in another one  .* \\(token 1 alone\\)\n")))
      << text;
  result.outcome.failure->measured.numbers.count = 0;
  result.outcome.failure->measured.trouble = "status 1, tokens: 1; allowed: 2 or more";
  const std::string refused = counterexample_of(result);
  EXPECT_NE(refused.find("  because: status 1, tokens: 1; allowed: 2 or more (token 1 alone)\n"),
            std::string::npos)
      << refused;
}

TEST(Report, OneLineSaysWhyAKernelFails) {
  const std::string text = as_text(mixed()),
                    sentence = "every position is taken as the one after it: off by one (explains all ";
  const std::size_t begin = text.find("\ncause: faults.so:fault-position-off-by-one: " + sentence);
  ASSERT_NE(begin, std::string::npos) << text;
  EXPECT_EQ(text.find("cause: ", begin + 8), std::string::npos) << text;
  const auto read = nlohmann::json::parse(as_json(mixed()))["diagnoses"];
  ASSERT_EQ(read.size(), 1U);
  EXPECT_EQ(read[0]["models"], nlohmann::json::array({"gpt-j-6b"}));
  EXPECT_EQ(read[0]["found"], "explained");
  EXPECT_EQ(read[0]["causes"], nlohmann::json::array({"fault-position-off-by-one"}));
  EXPECT_GT(read[0]["failing"], 0);
  EXPECT_NE(as_annotations(mixed()).find(sentence), std::string::npos);
  EXPECT_NE(as_markdown(mixed()).find(sentence), std::string::npos);
  EXPECT_NE(as_junit(mixed()).find(sentence), std::string::npos);
}

TEST(Report, TextAlignsItsColumnsAndEndsWithTotalsAndSeed) {
  const std::string text = as_text(mixed());
  EXPECT_EQ(text.find('\x1b'), std::string::npos) << "colour where no terminal is";
  const std::size_t heading = text.find("\n\nkernel ") + 2, row = text.find('\n', heading) + 1;
  EXPECT_EQ(text.find("verdict", heading) - heading, text.find("holds", row) - row);
  EXPECT_NE(text.find("; seed 1\n"), std::string::npos);
  EXPECT_NE(text.find("FAILS faults.so:fault-position-off-by-one, gpt-j-6b, f32, accuracy"),
            std::string::npos);
  EXPECT_NE(text.find("claims canonical; not tried on other promises: --cases is below 100"),
            std::string::npos);
}

std::vector<std::string> lines_of(const std::string& text) {
  std::istringstream from(text);
  std::vector<std::string> lines;
  for (std::string name; std::getline(from, name);) lines.push_back(name);
  return lines;
}

/// The results of the wrong kernel alone, in a library with a long path.
results wrong_alone() {
  results alone = mixed();
  std::erase_if(alone.lines, [](const result& result) { return result.kernel == "cpu-table"; });
  std::erase_if(alone.promises, [](const auto& item) { return item.kernel == "cpu-table"; });
  const auto moved = [](std::string& name) { name = "/home/somebody/build/" + name; };
  for (result& line : alone.lines) moved(line.kernel);
  for (auto& diagnose : alone.diagnoses) moved(diagnose.kernel);
  for (auto& promise : alone.promises) moved(promise.kernel);
  return alone;
}

TEST(Report, AFailingRunFitsOnOneScreenAndItsCauseFollowsTheFirstFailure) {
  const std::string text = as_text(wrong_alone(), detail::screen);
  const std::vector<std::string> lines = lines_of(text);
  EXPECT_LE(lines.size(), 50U) << text;
  EXPECT_EQ(lines[0].find("FAIL: "), 0U);
  EXPECT_NE(lines[0].find(" cases judged, "), std::string::npos) << lines[0];
  EXPECT_NE(lines[0].find("; fault-position-off-by-one, gpt-j-6b"), std::string::npos) << lines[0];
  EXPECT_EQ(text.find("/home/somebody"), std::string::npos) << "a path in place of a label\n" << text;
  const auto failure =
      std::find_if(lines.begin(), lines.end(), [](const auto& item) { return item.starts_with("FAILS "); });
  const auto again =
      std::find_if(failure, lines.end(), [](const auto& item) { return item.starts_with("  again:"); });
  ASSERT_LT(again + 2, lines.end());
  EXPECT_EQ(again[2].find("cause: fault-position-off-by-one: "), 0U) << again[2];
  EXPECT_NE(text.find("--verbose has the first of each law"), std::string::npos);
  EXPECT_GT(lines_of(as_text(wrong_alone())).size(), 50U) << "nothing was left out";
}

TEST(Report, TheFirstLineSaysWhetherEverythingHoldsAndElseWhatDoesNot) {
  results results = mixed();
  std::erase_if(results.lines, [](const result& result) { return result.kernel != "cpu-table"; });
  EXPECT_EQ(lines_of(as_text(results)).front().find("PASS: "), 0U);
  results.lines[0].outcome.declined = 3;
  const std::vector<std::string> lines = lines_of(as_text(results));
  EXPECT_EQ(lines[0].find("FAIL: "), 0U);
  EXPECT_NE(lines[0].find(", 1 not judged; "), std::string::npos) << lines[0];
  EXPECT_EQ(lines[1].find("exit code 1, though no law fails: canonical in f32: declined 3 of "), 0U)
      << lines[1];
}

TEST(Report, KernelsThatDifferByTheirPathsAloneKeepThem) {
  results results = wrong_alone();
  result other = results.lines.front();
  other.kernel = "/elsewhere/faults.so:fault-position-off-by-one";
  results.lines.push_back(other);
  EXPECT_NE(as_text(results, detail::screen).find("/elsewhere/faults.so:fault-"), std::string::npos);
}

TEST(Report, TextShowsTheWorstOfEveryRange) {
  const std::string text = as_text(mixed());
  const std::size_t begin = text.find("  cpu-table f32: ");
  ASSERT_NE(begin, std::string::npos);
  const std::string row = text.substr(begin, text.find(" (", begin) - begin);
  EXPECT_EQ(std::count(row.begin(), row.end(), ' '), 2 + 1 + position_ranges) << row;
}

TEST(Report, TextSaysFromWhichPositionExtrapolationFails) {
  const std::string text = as_text(mixed());
  const std::size_t begin = text.find("  faults.so:fault-position-off-by-one f32: ");
  ASSERT_NE(begin, std::string::npos) << text;
  EXPECT_NE(text.substr(begin, text.find('\n', begin) - begin)
                .find("(fails, first seen at positions of 2^0; farther ones may not have been tried)"),
            std::string::npos)
      << text;
}

TEST(Report, AKernelThatServesNothingIsNotSaidToHold) {
  ropewalk_kernel kernel = built_in_kernels()[2];
  kernel.plan = [](const ropewalk_head*, ropewalk_plan** plan, ropewalk_error*) -> std::int32_t {
    *plan = nullptr;
    return ROPEWALK_UNSUPPORTED;
  };
  const results results =
      verify::verify(asked_for({{{&kernel, ""}, "cpu-table", promise::canonical}}), never);
  const totals sum = totals_of(results);
  EXPECT_EQ(sum.not_judged, sum.lines);
  EXPECT_EQ(verdict_of(results.lines.front()), "not judged");
  EXPECT_EQ(observed_of(results.lines.front()), "-");
}

TEST(Report, ManyLinesOfOneReasonBecomeOne) {
  results results;
  result result = mixed().lines.front();
  result.outcome = {};
  result.outcome.count = 3;
  result.allows_cut = false;
  for (const char* kernel : {"first", "second"})
    for (const ropewalk_dtype dtype : all_dtypes)
      for (const law_text& law : verify::laws_of(ROPEWALK_ROTATE)) {
        result.kernel = kernel, result.dtype = dtype, result.law = law;
        results.lines.push_back(result);
      }
  const auto count = results.lines.size() / 2;
  EXPECT_NE(as_text(results).find(fmt::format("\nnot judged: first: ran 0 of 3 cases ({} verdicts)\n"
                                              "not judged: second: ran 0 of 3 cases ({} verdicts)\n",
                                              count, count)),
            std::string::npos);
  results.lines.resize(2);
  EXPECT_NE(as_text(results).find(fmt::format("\nnot judged: first, f64, {}: ran 0 of 3 cases (1 verdict)\n",
                                              results.lines[0].law.name)),
            std::string::npos);
}

TEST(Report, NotRunNotServedNotJudgedAndNothingComparedAreFourThings) {
  result result = mixed().lines.front();
  result.outcome = {};
  EXPECT_EQ(verdict_of(result), "not run");
  result.beyond = "f64";
  EXPECT_EQ(verdict_of(result), "not served");
  result.beyond = {};
  result.outcome.declined = 2;
  EXPECT_EQ(verdict_of(result), "not judged");
  EXPECT_EQ(verify::why_not_judged(result), "declined 2 of 2 cases");
  result.outcome.cases = 998;  // however few are declined
  EXPECT_EQ(verify::why_not_judged(result), "declined 2 of 1000 cases");
  result.outcome = {};
  result.outcome.undecided_cases = 3;
  result.outcome.undecided = "a sine";
  EXPECT_EQ(verify::why_not_judged(result), "nothing was decided: a sine");
  result.outcome.cases = 26;
  EXPECT_EQ(verify::why_not_judged(result), "undecided 3 of 29 cases");
  result.outcome.cases = 27;  // one tenth undecided
  EXPECT_EQ(verify::why_not_judged(result), "");
  result.outcome.cases = 1;
  result.outcome.without_memory = 3;
  EXPECT_EQ(verify::why_not_judged(result), "");
  result.outcome.undecided_cases = result.outcome.without_memory = 0;
  result.outcome.count = 2;
  result.allows_cut = false;
  EXPECT_EQ(verdict_of(result), "not judged");
  EXPECT_EQ(verify::why_not_judged(result), "ran 1 of 2 cases");
  result.allows_cut = true;
  EXPECT_EQ(verdict_of(result), "nothing compared");
  result.outcome = {};
  result.outcome.cases = 18;
  results results;
  results.lines = {result};
  EXPECT_EQ(totals_of(results).count, 0);
  EXPECT_EQ(totals_of(results).nothing_compared, 1);
}

}  // namespace
}  // namespace ropewalk::report::report_test
