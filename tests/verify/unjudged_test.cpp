// Results that are counted and not judged: declined and undecided calls, too few cases, and skipped laws.

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <set>

#include "kernel/kernels.hpp"
#include "report/report.hpp"
#include "ropewalk/law/rotation_laws.hpp"
#include "verify/demands.hpp"
#include "verify/limited_kernels.hpp"
#include "verify/line_of.hpp"
#include "verify/verification.hpp"

namespace ropewalk::verify {
namespace {

TEST(Limits, WhatIsDeclinedWithoutALimitIsCountedAndNotJudged) {
  const ropewalk_kernel kernel = five_positions(nullptr);
  const results results = verify(asked_of(kernel), goes_on);
  const result& accuracy = line_of(results, "accuracy");
  EXPECT_EQ(finding_of(accuracy), finding::not_judged);
  EXPECT_EQ(why_not_judged(accuracy),
            "declined " + std::to_string(accuracy.outcome.declined) + " of 40 cases");
  EXPECT_GT(totals_of(results).not_judged, 5);
  EXPECT_NE(report::as_text(results, report::detail::screen, output::stream::error).find("not judged: "),
            std::string::npos);
}

/// A kernel that declines one of its calls alone.
ropewalk_kernel declines_once(int of_calls) {
  static std::atomic<int> declined_call{0}, calls{0};
  declined_call = of_calls;
  calls = 0;
  ropewalk_kernel once = cpu_table_kernel();
  once.apply = [](const ropewalk_plan* plan, const ropewalk_head* head,
                  ropewalk_error* error) -> std::int32_t {
    if (++calls == declined_call) return ROPEWALK_UNSUPPORTED;
    return cpu_table_kernel().apply(plan, head, error);
  };
  return once;
}

TEST(Limits, OneDeclinedCallIsEnoughNotToBeJudged) {
  for (int call = 1; call <= 30; ++call) {
    SCOPED_TRACE(call);
    const ropewalk_kernel kernel = declines_once(call);
    verification request = asked_of(kernel);
    request.laws = {"norm"};
    results results = verify(request, goes_on);
    EXPECT_EQ(why_not_judged(line_of(results, "norm")), "declined 1 of 40 cases");
    EXPECT_FALSE(all_hold(results));
    results.allows_declined = true;
    EXPECT_TRUE(all_hold(results));
    EXPECT_EQ(accepted(results).back(),
              "--allow-declined: 1 result with declined or undecided calls changes no exit code");
  }
}

TEST(Limits, FewerCasesThanALawWantsAreNoVerdict) {
  const ropewalk_kernel kernel = cpu_table_kernel();
  verification request = asked_of(kernel);
  request.laws = {"norm"};
  request.allows_cut = false;
  const results few = verify(request, goes_on);
  EXPECT_EQ(finding_of(line_of(few, "norm")), finding::not_judged);
  EXPECT_EQ(why_not_judged(line_of(few, "norm")), "ran 40 of 200 cases");
  EXPECT_FALSE(all_hold(few));
  EXPECT_TRUE(few.not_judged.empty());  // it is said once
  request.allows_cut = true;
  const results accepting = verify(request, goes_on);
  EXPECT_EQ(finding_of(line_of(accepting, "norm")), finding::holds);
  EXPECT_TRUE(all_hold(accepting));
  EXPECT_EQ(
      accepted(accepting),
      (std::vector<std::string>{"--allow-cut: 1 result of fewer cases than wanted changes no exit code"}));
  request.allows_cut = false;
  request.cases = 200;
  EXPECT_TRUE(all_hold(verify(request, goes_on)));
}

TEST(Limits, ABudgetThatIsTooSmallLeavesLawsUnjudgedAndNoneOut) {
  ropewalk_kernel kernel = cpu_table_kernel();
  kernel.apply = [](const ropewalk_plan* plan, const ropewalk_head* head, ropewalk_error* error) {
    const auto end = search::clock::now() + std::chrono::milliseconds(20);
    while (search::clock::now() < end) continue;
    return cpu_table_kernel().apply(plan, head, error);
  };
  verification request = asked_of(kernel);
  request.cases = 0;
  request.budget = 1;
  request.allows_cut = false;
  const results results = verify(request, goes_on);
  EXPECT_FALSE(all_hold(results));
  EXPECT_EQ(totals_of(results).failed, 0);
  EXPECT_GT(totals_of(results).not_judged, 10);
  std::set<std::string_view> laws;
  for (const result& line : results.lines) laws.insert(line.law.name);
  for (const auto& law : rotation_laws::all)  // the model has one axis
    EXPECT_EQ(laws.count(law.name), law.name == rotation_laws::own_axis.name ? 0u : 1u) << law.name;
}

TEST(Limits, WhatAKernelLeavesUndecidedIsCountedAndNotJudged) {
  const ropewalk_kernel kernel = five_positions<ROPEWALK_UNDECIDED>(nullptr);
  const results results = verify(asked_of(kernel), goes_on);
  const result& accuracy = line_of(results, "accuracy");
  EXPECT_GT(accuracy.outcome.cases, 0);
  EXPECT_EQ(why_not_judged(accuracy),
            "undecided " + std::to_string(accuracy.outcome.undecided_cases) + " of 40 cases");
}

TEST(Limits, APartThatIsDeclinedCountsAsTheWholeCase) {
  ropewalk_kernel kernel = cpu_table_kernel();
  kernel.apply = [](const ropewalk_plan* plan, const ropewalk_head* head,
                    ropewalk_error* error) -> std::int32_t {
    const std::int32_t status = cpu_table_kernel().apply(plan, head, error);
    if (status != ROPEWALK_OK) return status;
    const auto call = read_struct<ropewalk_rotation_call>(head, ROPEWALK_ROTATE, "call");
    return call.tokens.sequence_offset != nullptr ? ROPEWALK_UNSUPPORTED : ROPEWALK_OK;
  };
  verification request = asked_of(kernel);
  request.laws = {"prefill-decode"};
  const results results = verify(request, goes_on);
  const result& judged = line_of(results, "prefill-decode");
  EXPECT_EQ(finding_of(judged), finding::not_judged);
  EXPECT_EQ(judged.outcome.declined, request.cases);
  EXPECT_GT(judged.outcome.compared, 0);
  static const ropewalk_limits limits = [] {
    ropewalk_limits served{};
    served.struct_size = sizeof served;
    served.not_served = ROPEWALK_NO_SEQUENCES;
    return served;
  }();
  kernel.limits = &limits;
  EXPECT_EQ(finding_of(line_of(verify(asked_of(kernel), goes_on), "prefill-decode")), finding::holds);
}

TEST(Limits, ALawOfWhichNoCaseLiesWithinTheLimitsIsToldOf) {
  const ropewalk_kernel kernel = cpu_table_kernel();
  const verification request = asked_of(kernel);
  std::vector<result> lines = verify(request, goes_on).lines;
  EXPECT_TRUE(not_judged(request, lines).empty());
  for (result& line : lines)
    if (line.law.name == "norm") line.outcome = {};
  ASSERT_EQ(not_judged(request, lines).size(), 1u);
  EXPECT_NE(not_judged(request, lines)[0].find("norm was not run"), std::string::npos);
}

TEST(Limits, OfADtypeThatWasNamedAreNothingJudged) {
  ropewalk_limits limits{};
  limits.dtypes = 1u << ROPEWALK_F16;
  ropewalk_kernel kernel = cpu_table_kernel();
  kernel.limits = &limits;
  verification request = asked_of(kernel);
  request.dtypes = {ROPEWALK_F32, ROPEWALK_F16};
  EXPECT_TRUE(verify(request, goes_on).not_judged.empty());
  request.dtypes_are_named = true;
  EXPECT_EQ(verify(request, goes_on).not_judged,
            (std::vector<std::string>{"library:" + std::string(kernel.name) + ": nothing judged in f32"}));
}

TEST(Limits, ALawThatIsLeftOutIsNotRunAndItsReasonIsSaid) {
  const ropewalk_kernel kernel = cpu_table_kernel();
  verification request = asked_of(kernel);
  request.skipped_laws = {{"adjoint", "inference alone"}};
  const results results = verify(request, goes_on);
  EXPECT_TRUE(std::none_of(results.lines.begin(), results.lines.end(),
                           [](const result& result) { return result.law.name == "adjoint"; }));
  const std::vector<std::string> limits{"left out: adjoint, because inference alone",
                                        "limits of library:cpu-table: positions in binary64 as well"};
  EXPECT_EQ(results.limits, limits);
}

}  // namespace
}  // namespace ropewalk::verify
