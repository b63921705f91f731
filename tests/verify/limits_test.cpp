// Calls that a kernel receives within its own limits and those of a request.

#include <gtest/gtest.h>

#include <algorithm>
#include <optional>
#include <set>

#include "kernel/kernels.hpp"
#include "report/report.hpp"
#include "ropewalk/kernel/bias_plan.hpp"
#include "ropewalk/law/rotation_laws.hpp"
#include "verify/demands.hpp"
#include "verify/limited_kernels.hpp"
#include "verify/line_of.hpp"
#include "verify/verification.hpp"

namespace ropewalk::verify {
namespace {

ropewalk_limits positions_to(std::int64_t end) {
  ropewalk_limits range{};
  range.struct_size = sizeof range;
  range.position_end = end;
  return range;
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
