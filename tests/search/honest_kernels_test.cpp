// No law fails on an honest kernel: one of the thousand seeds of exhaustive.search.HonestKernels.

#include "search/honest_kernels.hpp"

#include <gtest/gtest.h>

namespace ropewalk::honest {
namespace {

TEST(HonestKernels, KeepEveryLawOfTheirPromise) {
  for (const honest_kernel& kernel : honest_kernels())
    for (const tally& tally : tried(kernel, 1, 1, 20)) {
      EXPECT_EQ(tally.failed, 0) << kernel.name << ", " << tally.law << ", " << tally.first_failure;
      EXPECT_GT(tally.compared, 0) << kernel.name << ", " << tally.law;
    }
}

/// Seed 20 draws a head of so large a norm that a bfloat16 table, rounded up, makes it overflow binary32.
TEST(HonestKernels, OfACoarseTableAreNotJudgedWhereTheirRoundingsOverflow) {
  for (const honest_kernel& kernel : honest_kernels()) {
    if (kernel.name.find("table bf16") == std::string::npos) continue;
    const tally tally = tried(rotation_laws::identity, kernel, 20, 20, 2);
    EXPECT_EQ(tally.failed, 0) << kernel.name << ", " << tally.first_failure;
    EXPECT_GT(tally.compared, 0) << kernel.name;
  }
}

}  // namespace
}  // namespace ropewalk::honest
