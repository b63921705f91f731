// A bound that decides nothing is reported as vacuous, and an error that may
// grow with the position is measured.

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <cstring>

#include "kernel/kernels.hpp"
#include "kernel/recipe/recipes.hpp"
#include "model/model.hpp"
#include "report/report.hpp"
#include "ropewalk/law/rotation_laws.hpp"
#include "verify/line_of.hpp"
#include "verify/verification.hpp"

namespace ropewalk::verify {
namespace {

const std::atomic<bool> runs{false};

/// A kernel that knows nothing: every output is zero.
ropewalk_kernel zeros() {
  ropewalk_kernel zeros = cpu_table_kernel();
  zeros.name = "zeros";
  zeros.apply = [](const ropewalk_plan* plan, const ropewalk_head* head,
                   ropewalk_error* error) -> std::int32_t {
    ropewalk_error refused{};
    const std::int32_t status = cpu_table_kernel().apply(plan, head, error == nullptr ? &refused : error);
    if (status != ROPEWALK_OK) return status;
    const auto call = read_struct<ropewalk_rotation_call>(head, ROPEWALK_ROTATE, "call");
    for (const ropewalk_tensor* out : {&call.query_out, &call.key_out}) {
      if (out->data == nullptr) continue;
      const auto size = static_cast<std::size_t>(size_of(static_cast<ropewalk_dtype>(out->dtype)));
      const bool has_rows = out->rank == 4;
      const std::int64_t batch = has_rows ? out->shape[0] : 1, row = has_rows ? out->stride[0] : 0;
      const std::int64_t* shape = out->shape + (has_rows ? 1 : 0);
      const std::int64_t* stride = out->stride + (has_rows ? 1 : 0);
      for (std::int64_t index = call.tokens.begin; index < call.tokens.end && batch > 0; ++index)
        for (std::int64_t h = 0; h < shape[1]; ++h)
          for (std::int64_t c = 0; c < shape[2]; ++c)
            std::memset(
                static_cast<char*>(out->data) +
                    (index / shape[0] * row + index % shape[0] * stride[0] + h * stride[1] + c * stride[2]) *
                        static_cast<std::int64_t>(size),
                0, size);
    }
    return ROPEWALK_OK;
  };
  return zeros;
}

verification asked_of(const ropewalk_kernel& kernel, int rotary_dim, position_range range) {
  verification request;
  request.models.push_back(
      {model::model_by_hand(10000, rotary_dim, rotary_dim, pairing::half_split, ""), ""});
  request.kernels.push_back({{&kernel, "library"}, "library", promise::angle_f32});
  request.dtypes = {ROPEWALK_F32};
  request.cases = 60;
  request.allows_cut = true;
  request.quiet = true;
  request.calls.positions = range;
  return request;
}

constexpr position_range far_positions{std::int64_t{1} << 24, std::int64_t{1} << 26};

TEST(Vacuous, AKernelThatKnowsNothingIsNotSaidToHoldWhereTheBoundDecidesNothing) {
  const ropewalk_kernel kernel = zeros();
  const results results = verify(asked_of(kernel, 2, far_positions), runs);
  for (const char* law : {"accuracy", "relative-position", "composition", "adjoint"}) {
    const result& result = line_of(results, law);
    EXPECT_NE(finding_of(result), finding::holds) << law;
    EXPECT_EQ(result.outcome.compared, 0) << law;
    EXPECT_GT(result.outcome.vacuous, 0) << law;
  }
  EXPECT_EQ(finding_of(line_of(results, "accuracy")), finding::vacuous);
  EXPECT_EQ(line_of(results, "accuracy").every_vacuous_from, line_of(results, "accuracy").some_vacuous_from);
  EXPECT_EQ(finding_of(line_of(results, "norm")), finding::fails);  // its bound does not depend on the angle
}

TEST(Vacuous, ItFailsWhereTheBoundDecides) {
  const ropewalk_kernel kernel = zeros();
  const auto accuracy = [&](int rotary_dim, position_range range) {
    verification request = asked_of(kernel, rotary_dim, range);
    request.laws = {"accuracy"};
    return finding_of(line_of(verify(request, runs), "accuracy"));
  };
  EXPECT_EQ(accuracy(2, {0, 1000}), finding::fails);
  EXPECT_EQ(accuracy(64, far_positions), finding::fails);  // among many pairs some turn slowly
}

TEST(Vacuous, ThePositionSaidIsTheFirst) {
  const rope encoding{.base = 10000, .rotary_dim = 64};
  const checked_rotation kernel(cpu_table_kernel(), promise::angle_f32, encoding, head_layout{64});
  const auto from = kernel.vacuous_from(rotation_laws::accuracy, ROPEWALK_F32, false);
  ASSERT_TRUE(from);
  EXPECT_LT(kernel.accuracy_at<float>(static_cast<double>(*from - 1), 0, false).relative, trivial_bound);
  EXPECT_GE(kernel.accuracy_at<float>(static_cast<double>(*from), 0, false).relative, trivial_bound);
  EXPECT_LT(*kernel.vacuous_from(rotation_laws::relative_position, ROPEWALK_F32, false), *from);
  const checked_rotation constant(cpu_table_kernel(), promise::canonical, encoding, head_layout{64});
  for (const ropewalk_dtype dtype : all_dtypes)
    for (const auto& law : rotation_laws::all)
      EXPECT_FALSE(constant.vacuous_from(law, dtype, false)) << law.name;
}

TEST(Vacuous, NothingThatAConstantBoundJudgesIs) {
  const ropewalk_kernel kernel = cpu_table_kernel();
  verification request = asked_of(kernel, 64, {});
  request.kernels[0].promised = promise::canonical;
  request.cases = 20;
  request.dtypes = {ROPEWALK_F64, ROPEWALK_F32, ROPEWALK_F16, ROPEWALK_BF16};
  for (const result& line : verify(request, runs).lines) EXPECT_EQ(line.outcome.vacuous, 0) << line.law.name;
}

TEST(Vacuous, AnErrorThatMayGrowIsMeasuredAndNotSaidToExtrapolate) {
  const auto recipes = recipe_kernels();
  const auto recipe = std::find_if(recipes.begin(), recipes.end(), [](const ropewalk_kernel& kernel) {
    return kernel.name == std::string_view("recipe-hf-f32");
  });
  ASSERT_NE(recipe, recipes.end());
  verification request = asked_of(*recipe, 128, {});
  request.laws = {"extrapolation"};
  const results results = verify(request, runs);
  const result& result = line_of(results, "extrapolation");
  EXPECT_EQ(finding_of(result), finding::measured);
  const growth grown = growth_of(result);
  EXPECT_GT(error_up_to(result, 1), 0);
  EXPECT_GT(error_up_to(result, 131071), error_up_to(result, 1));
  ASSERT_TRUE(grown.over_1_percent && grown.over_10_percent);
  EXPECT_LT(*grown.over_1_percent, *grown.over_10_percent);
  EXPECT_LE(error_up_to(result, 1000), error_up_to(result, 1 << 20));
}

TEST(Vacuous, WhatFailsOnItIsTheUsersChoice) {
  const ropewalk_kernel kernel = zeros();
  verification request = asked_of(kernel, 2, far_positions);
  request.laws = {"accuracy", "extrapolation"};
  EXPECT_TRUE(verify(request, runs).failed_on.empty());
  request.fails_on.vacuous = true;
  request.fails_on.growths = {{50, 1 << 25}};
  const results results = verify(request, runs);
  ASSERT_EQ(results.failed_on.size(), 2u);
  EXPECT_NE(results.failed_on[0].find("accuracy: vacuous"), std::string::npos) << results.failed_on[0];
  EXPECT_NE(results.failed_on[1].find("at positions up to 33554432"), std::string::npos)
      << results.failed_on[1];
}

TEST(Vacuous, VerdictsAreToldBeforeCauses) {
  const ropewalk_kernel kernel = zeros();
  int times = 0;
  const results summary = verify(asked_of(kernel, 8, {0, 1000}), runs, [&](const results& so_far) {
    ++times;
    EXPECT_FALSE(all_hold(so_far));
    EXPECT_TRUE(so_far.diagnoses.empty());
  });
  EXPECT_EQ(times, 1);
  EXPECT_FALSE(summary.diagnoses.empty());
  const ropewalk_kernel right = cpu_table_kernel();
  verify(asked_of(right, 8, {0, 1000}), runs, [&](const results&) { ++times; });
  EXPECT_EQ(times, 1) << "there are no causes to look for";
}

}  // namespace
}  // namespace ropewalk::verify
