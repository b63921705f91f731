// No law fails on an honest kernel: a thousand seeds, with twenty cases of every law in every dtype.

#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <cstdio>
#include <limits>
#include <string>
#include <string_view>

#include "fault/faults.hpp"
#include "search/honest_kernels.hpp"

namespace ropewalk::honest {
namespace {

constexpr std::uint64_t seeds = 1000;
constexpr int cases_of_each = 20;

class HonestKernels : public testing::TestWithParam<std::size_t> {};

TEST_P(HonestKernels, KeepEveryLawOfTheirPromise) {
  const honest_kernel honest = honest_kernels()[GetParam()];
  std::int64_t cases = 0;
  for (const tally& counts : tried(honest, 1, seeds, cases_of_each)) {
    std::printf("%-44s %-18s %9lld cases, %12lld comparisons, %.4f of the bound, %lld failed\n",
                honest.name.c_str(), std::string(counts.law).c_str(), static_cast<long long>(counts.cases),
                static_cast<long long>(counts.compared), counts.tightest,
                static_cast<long long>(counts.failed));
    EXPECT_EQ(counts.failed, 0) << counts.law << ", " << counts.first_failure;
    cases += counts.cases;
  }
  std::printf("%s: %lld cases\n", honest.name.c_str(), static_cast<long long>(cases));
}

INSTANTIATE_TEST_SUITE_P(Each, HonestKernels, testing::Range(std::size_t{0}, honest_kernels().size()));

/// The mildest fault that is caught: over all planted faults, the smallest observed / bound that fails each
/// law under each promise. Its distance from the tightest honest ratio is the margin.
TEST(PlantedFaults, AreSeenByWhatTheyLeaveOfABound) {
  constexpr std::uint64_t fault_seeds = 10;
  for (const promise_description& promised : promises)
    for (const law<checked_rotation>& tested_law : rotation_laws::all) {
      if (tested_law.needs.sizes) continue;
      double mildest = std::numeric_limits<double>::infinity();
      std::string_view name = "equality decides";
      for (const ropewalk_kernel& kernel : fault::fault_kernels()) {
        const tally counts =
            tried(tested_law, {kernel.name, kernel, promised.value}, 1, fault_seeds, cases_of_each);
        if (counts.mildest >= mildest) continue;
        mildest = counts.mildest;
        name = kernel.name;
      }
      std::printf("%-14s %-18s %.4g of the bound, %s\n", promised.name.data(),
                  std::string(tested_law.name).c_str(), mildest, std::string(name).c_str());
      EXPECT_GT(mildest, 1);
    }
}

}  // namespace
}  // namespace ropewalk::honest
