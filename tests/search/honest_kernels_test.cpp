// No law fails on an honest kernel: one of the thousand seeds of exhaustive.search.HonestKernels.

#include "search/honest_kernels.hpp"

#include <gtest/gtest.h>

namespace ropewalk::honest {
namespace {

TEST(HonestKernels, KeepEveryLawOfTheirPromise) {
  for (const honest_kernel& one : honest_kernels())
    for (const tally& found : tried(one, 1, 1, 20)) {
      EXPECT_EQ(found.failed, 0) << one.name << ", " << found.law << ", " << found.first_failure;
      EXPECT_GT(found.compared, 0) << one.name << ", " << found.law;
    }
}

/// Seed 20 draws a head of so large a norm that a bfloat16 table, rounded up, makes it overflow binary32.
TEST(HonestKernels, OfACoarseTableAreNotJudgedWhereTheirRoundingsOverflow) {
  for (const honest_kernel& one : honest_kernels()) {
    if (one.name.find("table bf16") == std::string::npos) continue;
    const tally found = tried(rotation_laws::identity, one, 20, 20, 2);
    EXPECT_EQ(found.failed, 0) << one.name << ", " << found.first_failure;
    EXPECT_GT(found.compared, 0) << one.name;
  }
}

}  // namespace
}  // namespace ropewalk::honest
