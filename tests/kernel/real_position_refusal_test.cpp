// Positions in binary64 that a kernel refuses, or serves only where its limits say so.

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "kernel/good_calls.hpp"
#include "kernel/kernels.hpp"
#include "kernel/rotation_case.hpp"
#include "ropewalk/kernel/kernel.h"

namespace ropewalk::test {
namespace {

/// A call of six tokens at positions in binary64.
struct real_call : good_call {
  explicit real_call(double third) {
    reals[2] = third;
    call.tokens.positions = {ROPEWALK_POSITIONS_F64, 1, reals, {0, 0, 1}};
  }
  real_call(const real_call&) = delete;
  double reals[6] = {0, 0.5, 1, 1.5, 2, 2.5};
};

bool serves_reals(const ropewalk_kernel& kernel) {
  return kernel.limits != nullptr && kernel.limits->struct_size == sizeof(ropewalk_limits) &&
         (kernel.limits->position_kinds >> ROPEWALK_POSITIONS_F64 & 1) != 0;
}

TEST(Refusal, Binary64PositionsAreServedOnlyWhereLimitsSaySo) {
  int served = 0;
  std::vector<ropewalk_kernel> kernels(built_in_kernels().begin(), built_in_kernels().end());
  kernels.push_back(recipe_kernels().front());  // which serves whole positions alone
  for (const ropewalk_kernel& kernel : kernels) {
    real_call good(1);
    const planned plan(kernel, rotation_case{});
    const std::int32_t status = plan.apply(good.call);
    EXPECT_EQ(status, serves_reals(kernel) ? ROPEWALK_OK : ROPEWALK_UNSUPPORTED) << kernel.name;
    served += serves_reals(kernel);
    if (status == ROPEWALK_OK) continue;
    EXPECT_STREQ(plan.error.field, "tokens.positions.kind");
    EXPECT_EQ(good.memory[1], std::vector<float>(96, -7.0f));
  }
  EXPECT_EQ(served, 3);  // exact, cpu-turns and cpu-table
}

TEST(Refusal, Binary64PositionsNeedWholeTurns) {
  const resolved_encoding resolved(rotation_case{}.encoding, rotation_case{}.layout);
  ropewalk_rotation encoding = resolved.view();
  encoding.turns_real = nullptr;
  for (const ropewalk_kernel& kernel : kernels_and_a_fault()) {
    real_call good(1);
    const planned plan(kernel, encoding);
    EXPECT_EQ(plan.apply(good.call), ROPEWALK_UNSUPPORTED) << kernel.name;
    EXPECT_STREQ(plan.error.field, "tokens.positions.kind");
    EXPECT_EQ(good.memory[1], std::vector<float>(96, -7.0f));
  }
}

TEST(Refusal, Binary64PositionsAreFiniteAndBelowTheirEnd) {
  constexpr double end = 0x1p31, infinity = std::numeric_limits<double>::infinity(),
                   largest_number = std::numeric_limits<double>::max(),
                   not_a_number = std::numeric_limits<double>::quiet_NaN();
  const auto below_end = std::nextafter(end, 0.0);
  const struct {
    double position;
    std::int32_t status;
  } cases[] = {{infinity, ROPEWALK_INVALID_ARGUMENT},
               {-infinity, ROPEWALK_INVALID_ARGUMENT},
               {not_a_number, ROPEWALK_INVALID_ARGUMENT},
               {end, ROPEWALK_UNDECIDED},
               {-end, ROPEWALK_UNDECIDED},
               {largest_number, ROPEWALK_UNDECIDED},
               {below_end, ROPEWALK_OK},
               {-below_end, ROPEWALK_OK},
               {std::numeric_limits<double>::denorm_min(), ROPEWALK_OK}};
  for (const ropewalk_kernel& kernel : kernels_and_a_fault()) {
    if (!serves_reals(kernel)) continue;
    const planned plan(kernel, rotation_case{});
    for (const auto& test_case : cases) {
      real_call call(test_case.position);
      EXPECT_EQ(plan.apply(call.call), test_case.status) << kernel.name << ' ' << test_case.position;
      if (test_case.status == ROPEWALK_OK) continue;
      EXPECT_STREQ(plan.error.field, "tokens.positions");
      EXPECT_EQ(call.memory[1], std::vector<float>(96, -7.0f));
    }
  }
}

}  // namespace
}  // namespace ropewalk::test
