// The promise that a kernel keeps, as reports state it.

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <atomic>
#include <cstring>
#include <nlohmann/json.hpp>

#include "fault/faults.hpp"
#include "kernel/kernels.hpp"
#include "report/example_results.hpp"
#include "report/report.hpp"
#include "ropewalk/law/rotation_laws.hpp"
#include "verify/as_good_as.hpp"
#include "verify/lead_cases.hpp"
#include "verify/verification.hpp"

namespace ropewalk::report::report_test {
namespace {

TEST(Report, AKernelThatDeclinesEverythingKeepsNoPromise) {
  const results results = report_of([](const ropewalk_plan*, const ropewalk_head*,
                                       ropewalk_error*) -> std::int32_t { return ROPEWALK_UNSUPPORTED; });
  ASSERT_EQ(results.promises.size(), 1u);
  EXPECT_FALSE(results.promises[0].judged);
  EXPECT_TRUE(results.promises[0].in_dtypes.empty());
  EXPECT_EQ(results.not_judged, std::vector<std::string>{"mine.so:cpu-table: nothing judged"});
  EXPECT_NE(as_text(results).find("claims canonical; nothing judged"), std::string::npos);
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
