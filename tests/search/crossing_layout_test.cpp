// Laws on a model that reads interleaved pairs and writes them half-split: a second
// rotation must read what the first has written.

#include <gtest/gtest.h>

#include <atomic>

#include "kernel/kernels.hpp"
#include "ropewalk/law/rotation_laws.hpp"
#include "search/search.hpp"

namespace ropewalk {
namespace {

TEST(CrossingLayout, BuiltInKernelsKeepEveryLaw) {
  const rope encoding{.base = 10000, .rotary_dim = 16};
  const head_layout layout{20, pairing::interleaved, pairing::half_split};
  const std::atomic<bool> never{false};
  for (const ropewalk_kernel& kernel : built_in_kernels()) {
    const checked_rotation checked(kernel, promise_of(kernel), encoding, layout);
    for (const auto& law : rotation_laws::all) {
      if (!law.applies(checked) || law.needs.attention_factor) continue;
      const search::outcome outcome = search::search(law, checked, ROPEWALK_F32, 1, {20, 20, {}}, never);
      EXPECT_TRUE(outcome.holds()) << kernel.name << ", " << law.name;
      EXPECT_GT(outcome.compared, 0) << kernel.name << ", " << law.name;
    }
  }
}

}  // namespace
}  // namespace ropewalk
