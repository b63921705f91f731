// No law fails an honest kernel: three seeds of what exhaustive.search.HonestKernels runs a thousand of.

#include "search/honest_kernels.hpp"

#include <gtest/gtest.h>

namespace ropewalk::honest {
namespace {

TEST(HonestKernels, KeepEveryLawOfTheirPromise) {
  for (const honest_kernel& one : honest_kernels())
    for (const tally& found : tried(one, 1, 3, 20)) {
      EXPECT_EQ(found.failed, 0) << one.name << ", " << found.law << ", " << found.first_failure;
      EXPECT_GT(found.compared, 0) << one.name << ", " << found.law;
    }
}

}  // namespace
}  // namespace ropewalk::honest
