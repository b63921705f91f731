#pragma once
// Every target of cpu-turns and cpu-table, as parameters of tests.

#include <gtest/gtest.h>

#include <cstdint>
#include <random>
#include <string_view>
#include <vector>

#include "kernel/rotation_case.hpp"
#include "ropewalk/config/rope_scaling.hpp"

namespace ropewalk::test {

class CpuRotation : public testing::TestWithParam<ropewalk_kernel> {
 protected:
  const ropewalk_kernel& kernel() const { return GetParam(); }
  bool has_table() const { return std::string_view(kernel().name).starts_with("cpu-table"); }

  std::vector<ropewalk_dtype> dtypes() const {
    std::vector<ropewalk_dtype> dtypes{ROPEWALK_F32, ROPEWALK_F16, ROPEWALK_BF16};
    if (has_table()) dtypes.push_back(ROPEWALK_F64);
    return dtypes;
  }

  void expect_canonical(const rotation_case& rotation, std::uint64_t seed) const {
    std::mt19937_64 random(seed);
    const tensors in = random_tensors(rotation, random);
    laid_out memory(rotation, in);
    const planned plan(kernel(), rotation);
    ASSERT_EQ(plan.status, ROPEWALK_OK) << plan.error.text;
    ASSERT_EQ(plan.apply(memory.call), ROPEWALK_OK) << plan.error.text;
    const tensors got = memory.read(), wanted = canonical(rotation, in);
    EXPECT_EQ(first_difference(rotation.dtype, got.query, wanted.query), -1);
    EXPECT_EQ(first_difference(rotation.dtype, got.key, wanted.key), -1);
    EXPECT_TRUE(memory.guards_are_intact());
  }
};

}  // namespace ropewalk::test
