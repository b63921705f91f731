// No law fails an honest kernel: a thousand seeds, twenty cases of every law at least, in every dtype.

#include <gtest/gtest.h>

#include <cstdint>
#include <cstdio>
#include <string>

#include "search/honest_kernels.hpp"

namespace ropewalk::honest {
namespace {

constexpr std::uint64_t seeds = 1000;
constexpr int cases_of_each = 20;

class HonestKernels : public testing::TestWithParam<std::size_t> {};

TEST_P(HonestKernels, KeepEveryLawOfTheirPromise) {
  const honest_kernel one = honest_kernels()[GetParam()];
  std::int64_t cases = 0;
  for (const tally& found : tried(one, 1, seeds, cases_of_each)) {
    std::printf("%-44s %-18s %9lld cases, %12lld comparisons, %.4f of the bound, %lld failed\n",
                one.name.c_str(), std::string(found.law).c_str(), static_cast<long long>(found.cases),
                static_cast<long long>(found.compared), found.tightest, static_cast<long long>(found.failed));
    EXPECT_EQ(found.failed, 0) << found.law << ", " << found.first_failure;
    cases += found.cases;
  }
  std::printf("%s: %lld cases\n", one.name.c_str(), static_cast<long long>(cases));
}

INSTANTIATE_TEST_SUITE_P(Each, HonestKernels, testing::Range(std::size_t{0}, honest_kernels().size()));

}  // namespace
}  // namespace ropewalk::honest
