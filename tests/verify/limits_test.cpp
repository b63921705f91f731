// The limits that a kernel states are never exceeded, and are reported. Calls that
// it declines within them are counted.

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <optional>
#include <set>

#include "kernel/kernels.hpp"
#include "model/model.hpp"
#include "report/report.hpp"
#include "ropewalk/kernel/bias_plan.hpp"
#include "ropewalk/law/rotation_laws.hpp"
#include "verify/demands.hpp"
#include "verify/line_of.hpp"
#include "verify/verification.hpp"

namespace ropewalk::verify {
namespace {

const std::atomic<bool> goes_on{false};

/// A kernel that serves positions 0 to 4, and answers all others with a status: by default, it declines them.
template <std::int32_t answer = ROPEWALK_UNSUPPORTED>
ropewalk_kernel five_positions(const ropewalk_limits* limits) {
  ropewalk_kernel kernel = cpu_table_kernel();
  kernel.name = "five-positions";
  kernel.limits = limits;
  kernel.apply = [](const ropewalk_plan* plan, const ropewalk_head* head,
                    ropewalk_error* error) -> std::int32_t {
    ropewalk_error refused{};
    const std::int32_t status = cpu_table_kernel().apply(plan, head, error == nullptr ? &refused : error);
    if (status != ROPEWALK_OK) return status;
    const auto call = read_struct<ropewalk_rotation_call>(head, ROPEWALK_ROTATE, "call");
    const ropewalk_positions& at = call.tokens.positions;
    const auto* numbers = static_cast<const std::int32_t*>(at.data);
    const bool has_rows = call.query_in.rank == 4;
    const std::int64_t batch = has_rows ? call.query_in.shape[0] : 1;
    const std::int64_t tokens = call.query_in.shape[has_rows ? 1 : 0];
    for (std::int64_t b = 0; at.kind == ROPEWALK_POSITIONS_I32 && numbers != nullptr && b < batch; ++b)
      for (std::int64_t t = 0; t < tokens; ++t) {
        const std::int32_t position = numbers[b * at.stride[1] + t * at.stride[2]];
        if (position < 0 || position > 4) return answer;
      }
    return ROPEWALK_OK;
  };
  return kernel;
}

verification asked_of(const ropewalk_kernel& kernel) {
  verification request;
  request.models.push_back({model::catalogue_model("gpt-neox-20b"), "--model gpt-neox-20b"});
  request.kernels.push_back({{&kernel, "library"}, "library", promise::canonical});
  request.kernels_are_named = true;
  request.dtypes = {ROPEWALK_F32};
  request.cases = 40;
  request.allows_cut = true;
  request.quiet = true;
  return request;
}

ropewalk_limits positions_to(std::int64_t end) {
  ropewalk_limits range{};
  range.struct_size = sizeof range;
  range.position_end = end;
  return range;
}

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

TEST(Limits, WithinAStatedRangeOfPositionsItIsJudged) {
  const ropewalk_limits limits = positions_to(5);
  const ropewalk_kernel kernel = five_positions(&limits);
  const results results = verify(asked_of(kernel), goes_on);
  for (const result& line : results.lines) EXPECT_EQ(finding_of(line), finding::holds) << line.law.name;
  EXPECT_NE(report::as_text(results, report::detail::screen, output::stream::error).find("positions 0 to 4"),
            std::string::npos);
}

TEST(Limits, PositionsThatAreAskedForAreNotExceeded) {
  const ropewalk_kernel kernel = five_positions(nullptr);
  verification request = asked_of(kernel);
  request.calls.positions = {0, 5};
  for (const result& line : verify(request, goes_on).lines)
    EXPECT_EQ(finding_of(line), finding::holds) << line.law.name;
  request.calls.positions = {0, 7};
  EXPECT_GT(totals_of(verify(request, goes_on)).not_judged, 5);
}

TEST(Limits, OfPositionsThatExcludeZeroLeaveOutTheLawsThatNeedIt) {
  const ropewalk_kernel kernel = cpu_table_kernel();
  verification request = asked_of(kernel);
  request.calls.positions = {1000, 1999};
  const results results = verify(request, goes_on);
  for (const char* law : {"identity", "composition", "unit-rotation"})
    EXPECT_EQ(finding_of(line_of(results, law)), finding::not_served) << law;
  EXPECT_EQ(totals_of(results).count + 3, totals_of(results).lines);
}

TEST(Limits, AKernelOfOnePairingIsNotAskedForLayouts) {
  ropewalk_limits limits{};
  limits.pairings = 1u << ROPEWALK_HALF_SPLIT;
  ropewalk_kernel kernel = cpu_table_kernel();
  kernel.limits = &limits;
  const results results = verify(asked_of(kernel), goes_on);
  EXPECT_EQ(finding_of(line_of(results, "layouts")), finding::not_served);
  EXPECT_EQ(totals_of(results).count + 1, totals_of(results).lines);
}

TEST(Limits, WithoutBackwardARoundTripGoesByOppositePositions) {
  ropewalk_limits limits{};
  limits.not_served = ROPEWALK_NO_BACKWARD;
  ropewalk_kernel kernel = cpu_table_kernel();
  kernel.limits = &limits;
  EXPECT_EQ(finding_of(line_of(verify(asked_of(kernel), goes_on), "round-trip")), finding::holds);
  EXPECT_EQ(finding_of(line_of(verify(asked_of(kernel), goes_on), "adjoint")), finding::not_served);
  limits.position_end = 131072;
  limits.position_begin = 1;
  EXPECT_EQ(finding_of(line_of(verify(asked_of(kernel), goes_on), "round-trip")), finding::not_served);
}

TEST(Limits, OfShapesOfOtherHeadsNothingIsServed) {
  constexpr std::int64_t shapes[][4] = {{1, 4, 2, 64}};
  ropewalk_limits limits{};
  limits.shapes = shapes;
  limits.shape_count = 1;
  ropewalk_kernel kernel = cpu_table_kernel();
  kernel.limits = &limits;
  const results results = verify(asked_of(kernel), goes_on);
  EXPECT_EQ(line_of(results, "accuracy").beyond, "shapes: none of head_dim 96");
  EXPECT_EQ(results.not_judged.size(), 1u);
}

TEST(Limits, OfLargeShapesSizesAloneAreJudged) {
  constexpr std::int64_t shapes[][4] = {{1, 512, 32, 96}};
  ropewalk_limits limits{};
  limits.shapes = shapes;
  limits.shape_count = 1;
  limits.not_served = ROPEWALK_DENSE;
  ropewalk_kernel kernel = cpu_table_kernel();
  kernel.limits = &limits;
  const results results = verify(asked_of(kernel), goes_on);
  EXPECT_EQ(finding_of(line_of(results, "accuracy")), finding::not_served);
  EXPECT_EQ(finding_of(line_of(results, "sizes")), finding::holds);
}

TEST(Limits, ThatMeanNothingAreRefused) {
  constexpr std::int64_t empty[][4] = {{1, 0, 4, 96}};
  constexpr std::int32_t no_heads[] = {96, 0};
  ropewalk_limits limits{};
  limits.shapes = empty;
  limits.shape_count = 1;
  EXPECT_THROW(served_calls{limits}, std::invalid_argument);
  limits = {};
  limits.head_dims = no_heads;
  limits.head_dim_count = 2;
  EXPECT_THROW(served_calls{limits}, std::invalid_argument);
  limits = {};
  limits.not_served = 1u << 31;
  EXPECT_THROW(served_calls{limits}, std::invalid_argument);
  limits = {};
  limits.forms = 16;
  EXPECT_THROW(served_calls{limits}, std::invalid_argument);
}

/// The names of the subjects of a kernel that adds biases, by its limits and the form asked for.
std::set<std::string> subjects_of(std::uint64_t forms, std::optional<alibi_form> asked_form) {
  ropewalk_limits limits{};
  limits.forms = forms;
  ropewalk_kernel kernel = addition_kernels()[1];
  kernel.limits = &limits;
  verification request = asked_of(kernel);
  request.models.clear();
  request.additions = every_addition();
  request.laws = {"accuracy"};
  request.form = asked_form;
  std::set<std::string> subjects;
  for (const result& line : verify(request, goes_on).lines)
    subjects.insert(line.model + (line.beyond.empty() ? "" : ": " + line.beyond));
  return subjects;
}

TEST(Limits, OfFormsDecideInWhichAKernelIsAsked) {
  using names = std::set<std::string>;
  const std::uint64_t bloom = UINT64_C(1) << ROPEWALK_BIAS_KEY;
  EXPECT_EQ(subjects_of(0, {}), (names{"alibi, 12 heads", "alibi, 12 heads, symmetric", "alibi, 8 heads"}));
  EXPECT_EQ(subjects_of(bloom, {}), names{"alibi, 12 heads, bloom"});
  EXPECT_EQ(subjects_of(bloom, alibi_form::key), names{"alibi, 12 heads, bloom"});
  EXPECT_EQ(subjects_of(0, alibi_form::key), names{"alibi, 12 heads, bloom"});
  EXPECT_EQ(subjects_of(bloom, alibi_form::last_key), names{"alibi, 12 heads, mpt: form mpt"});
  EXPECT_EQ(subjects_of(every_bias_form.forms, {}).size(), 5u);
}

TEST(Limits, OfFormsAreInTheText) {
  ropewalk_limits limits{};
  limits.forms = UINT64_C(1) << ROPEWALK_BIAS_CAUSAL | UINT64_C(1) << ROPEWALK_BIAS_KEY;
  EXPECT_EQ(served_calls{limits}.text(), "forms causal bloom");
  EXPECT_EQ(served_calls{every_bias_form}.text(), "");
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

TEST(Limits, EveryEnvironmentIsAskedOfPromisesOfBitsAndOfOthersOnRequest) {
  const ropewalk_kernel kernel = cpu_table_kernel();
  verification request = asked_of(kernel);
  request.kernels[0].promised = promise::rounded_table;
  const auto asks = [&] {
    const results results = verify(request, goes_on);
    return std::any_of(results.lines.begin(), results.lines.end(),
                       [](const result& result) { return result.law.name == "environment"; });
  };
  EXPECT_FALSE(asks());
  request.laws = {"environment"};
  const results none = verify(request, goes_on);
  ASSERT_EQ(none.not_judged.size(), 1u);
  EXPECT_NE(none.not_judged[0].find("--environment all"), std::string::npos) << none.not_judged[0];
  request.calls.every_environment = true;
  EXPECT_TRUE(asks());
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

TEST(Limits, ThatContradictThemselvesAreRefused) {
  ropewalk_limits limits = positions_to(5);
  limits.position_begin = 5;
  EXPECT_THROW((served_calls(limits)), std::invalid_argument);
  limits = {};
  limits.head_dim_count = 2;
  EXPECT_THROW((served_calls(limits)), std::invalid_argument);
}

}  // namespace
}  // namespace ropewalk::verify
