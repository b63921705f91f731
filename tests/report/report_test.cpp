#include "report/report.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <cstring>
#include <iterator>
#include <nlohmann/json.hpp>
#include <pugixml.hpp>
#include <regex>

#include "fault/faults.hpp"
#include "kernel/kernels.hpp"
#include "ropewalk/law/rotation_laws.hpp"
#include "verify/as_good_as.hpp"
#include "verify/lead_cases.hpp"
#include "verify/verification.hpp"

namespace ropewalk::report::report_test {
namespace {

using verify::judged_kernel;
using verify::result;
using verify::results;
using verify::totals;
using verify::verification;

const ropewalk_kernel& fault_named(std::string_view name) {
  for (const ropewalk_kernel& kernel : fault::fault_kernels())
    if (kernel.name == name) return kernel;
  throw std::invalid_argument(std::string(name));
}

verification asked_for(std::vector<judged_kernel> kernels) {
  verification request;
  request.models.push_back({model::catalogue_model("gpt-j-6b"), "--model gpt-j-6b"});
  request.kernels = std::move(kernels);
  request.dtypes = {ROPEWALK_F32, ROPEWALK_BF16};
  request.cases = 6;
  request.allows_cut = true;
  request.quiet = true;
  return request;
}

const std::atomic<bool> never{false};

/// cpu-table holds, the planted fault does not.
const results& mixed() {
  static const results summary = [] {
    results mixed = verify::verify(asked_for({{{&built_in_kernels()[2], ""}, "cpu-table", promise::canonical},
                                              {{&fault_named("fault-position-off-by-one"), "faults.so"},
                                               "library:faults.so#fault-position-off-by-one",
                                               promise::canonical}}),
                                   never);
    mixed.command_line = "ropewalk verify <&>";
    return mixed;
  }();
  return summary;
}

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

/// Verifies cpu-table with another apply, as the kernel of a foreign library.
results report_of(decltype(ropewalk_kernel::apply) apply) {
  ropewalk_kernel kernel = built_in_kernels()[2];
  kernel.apply = apply;
  return verify::verify(asked_for({{{&kernel, "mine.so"}, "library:mine.so#cpu-table", promise::canonical}}),
                        never);
}

TEST(Report, AKernelThatDeclinesEverythingKeepsNoPromise) {
  const results results = report_of([](const ropewalk_plan*, const ropewalk_head*,
                                       ropewalk_error*) -> std::int32_t { return ROPEWALK_UNSUPPORTED; });
  ASSERT_EQ(results.promises.size(), 1u);
  EXPECT_FALSE(results.promises[0].judged);
  EXPECT_TRUE(results.promises[0].in_dtypes.empty());
  EXPECT_EQ(results.not_judged, std::vector<std::string>{"mine.so:cpu-table: nothing judged"});
  EXPECT_NE(as_text(results).find("claims canonical; nothing judged"), std::string::npos);
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

/// Verifies a kernel on a small model, with enough cases for promises to be tried.
results tried(const ropewalk_kernel& kernel, promise claimed, std::vector<ropewalk_dtype> dtypes) {
  verification request = asked_for({{{&kernel, "mine.so"}, "library:mine.so#k", claimed}});
  request.models = {{model::parse_model(R"({"model_type": "llama", "head_dim": 16, "rope_theta": 10000.0,
                                          "max_position_embeddings": 4096})",
                                        "small"),
                     "--config small.json"}};
  request.dtypes = std::move(dtypes);
  request.cases = verify::most_lead_cases(1);
  request.skipped_laws = {{"sizes", "time"}, {"extrapolation", "time"}};
  return verify::verify(request, never);
}

TEST(Report, ARightKernelIsJudgedAsGoodAsCanonicalWhateverItClaims) {
  const results results = tried(built_in_kernels()[2], promise::angle_f32, {ROPEWALK_F32, ROPEWALK_BF16});
  ASSERT_EQ(results.promises.size(), 1u);
  EXPECT_EQ(results.promises[0].claimed, promise::angle_f32);
  ASSERT_EQ(results.promises[0].in_dtypes.size(), 2u);
  for (const verify::dtype_promise& promised : results.promises[0].in_dtypes)
    EXPECT_EQ(promised.kept, promise::canonical);
  EXPECT_NE(as_text(results).find("f32, bf16: judged as good as: canonical (tried on "), std::string::npos);
}

TEST(Report, AKernelThatClaimsBitsAndObeysItsCallersEnvironmentIsJudgedByWhatItKeeps) {
  ropewalk_kernel kernel = built_in_kernels()[2];
  kernel.apply = [](const ropewalk_plan* plan, const ropewalk_head* head, ropewalk_error* error) {
    const std::int32_t status = cpu_table_kernel().apply(plan, head, error);
    const volatile float value = 1, little = 0x1p-30F;
    if (status != ROPEWALK_OK || value + little == 1) return status;  // otherwise the caller rounds upward
    const auto call = read_struct<ropewalk_rotation_call>(head, ROPEWALK_ROTATE, "call");
    std::memset(call.query_out.data, 0,
                static_cast<std::size_t>(size_of(static_cast<ropewalk_dtype>(call.query_out.dtype))));
    return status;
  };
  const results results = tried(kernel, promise::canonical, {ROPEWALK_F32});
  EXPECT_GT(totals_of(results).failed, 0);
  ASSERT_EQ(results.promises.size(), 1u);
  for (const verify::dtype_promise& promised : results.promises[0].in_dtypes)
    EXPECT_EQ(promised.kept, promise::rounded_table)
        << ropewalk::name_of(promised.dtype) << ": "
        << (promised.kept ? name_of(*promised.kept, ROPEWALK_ROTATE) : promised.missing);
}

TEST(Report, EveryLawIsDecidedOnManyCasesBeforeAPromiseIsSaidToBeKept) {
  static std::atomic<std::int64_t> calls{0};
  calls = 0;
  ropewalk_kernel kernel = built_in_kernels()[2];
  kernel.apply = [](const ropewalk_plan* plan, const ropewalk_head* head, ropewalk_error* error) {
    ++calls;
    return cpu_table_kernel().apply(plan, head, error);
  };
  verification request = asked_for({{{&kernel, "mine.so"}, "library:mine.so#k", promise::canonical}});
  request.cases = 3;  // fewer than the trial of a promise needs
  request.dtypes = {ROPEWALK_F32};
  const results results = verify::verify(request, never);
  request.cases = 0;
  const auto tried = verify::judged_as(request, request.kernels[0], results.lines, {}, never).in_dtypes;
  ASSERT_EQ(tried.size(), 1u);
  EXPECT_EQ(tried[0].kept, promise::canonical);
  const auto laws = static_cast<std::int64_t>(rotation_laws::all.size());
  EXPECT_GE(tried[0].cases, (laws - 2) * verify::most_lead_cases(1));  // sizes and prefill-decode have fewer
  EXPECT_GE(calls, totals_of(results).cases + tried[0].cases);
}

/// One kernel and a few laws in binary32, with enough cases for promises to be tried.
verification asked_of_laws(const ropewalk_kernel& kernel, promise promised, std::vector<std::string> laws) {
  verification request = asked_for({{{&kernel, "mine.so"}, "library:mine.so#k", promised}});
  request.cases = verify::most_lead_cases(1);
  request.laws = std::move(laws);
  request.dtypes = {ROPEWALK_F32};
  return request;
}

TEST(Report, PromisesAreTriedOnTheLawsThatWereAskedForAndTheReportNamesThem) {
  const verification request = asked_of_laws(built_in_kernels()[2], promise::canonical, {"pass-through"});
  const results results = verify::verify(request, never);
  ASSERT_EQ(results.promises[0].in_dtypes.size(), 1u);
  EXPECT_EQ(results.promises[0].in_dtypes[0].cases, request.cases);
  EXPECT_NE(as_text(results).find(fmt::format("(tried on {} cases of pass-through)", request.cases)),
            std::string::npos);
}

TEST(Report, APromiseOfBitsIsKeptOnlyWhereTheLawOfItsBitsWasAsked) {
  const auto found_of = [](const ropewalk_kernel& kernel, promise promised, std::vector<std::string> laws) {
    return verify::verify(asked_of_laws(kernel, promised, std::move(laws)), never);
  };
  const results right = found_of(built_in_kernels()[2], promise::rounded_table, {"norm"});
  EXPECT_EQ(right.promises[0].in_dtypes[0].kept, promise::rounded_table);
  const ropewalk_kernel& faulty = fault_named("fault-half-split");
  const results wrong = found_of(faulty, promise::canonical, {"canonical"});
  EXPECT_GT(totals_of(wrong).failed, 0);
  EXPECT_EQ(wrong.promises[0].in_dtypes[0].kept, std::nullopt);
  EXPECT_EQ(wrong.promises[0].in_dtypes[0].missing, "the requested laws cannot decide other promises");
  EXPECT_NE(as_text(found_of(faulty, promise::canonical, {"accuracy", "norm"}))
                .find("judged as good as: none of the promises: each is broken"),
            std::string::npos);
}

TEST(Report, AKernelOfABinary32AngleIsJudgedAsGoodAsThat) {
  const results results = tried(fault_named("fault-angle-f32"), promise::canonical, {ROPEWALK_F32});
  ASSERT_EQ(results.promises.size(), 1u);
  for (const verify::dtype_promise& promised : results.promises[0].in_dtypes)
    EXPECT_EQ(promised.kept, promise::angle_f32);
  EXPECT_GT(totals_of(results).failed, 0);
  EXPECT_NE(as_text(results).find("angle-f32 (angle f32, table f32, rotation f32)"), std::string::npos);
}

}  // namespace
}  // namespace ropewalk::report::report_test
