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
    const checked_rotation held(kernel, promise_of(kernel), encoding, layout);
    for (const auto& one : rotation_laws::all) {
      if (!one.applies(held) || one.needs.attention_factor) continue;
      const search::outcome found = search::search(one, held, ROPEWALK_F32, 1, {20, 20, {}}, never);
      EXPECT_TRUE(found.holds()) << kernel.name << ", " << one.name;
      EXPECT_GT(found.compared, 0) << kernel.name << ", " << one.name;
    }
  }
}

}  // namespace
}  // namespace ropewalk
