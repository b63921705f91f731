// The kernels that the library exports, the names of promises, and the sequence length of resolved encodings.

#include "kernel/kernels.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <optional>
#include <string>

#include "kernel/simd/simd.hpp"
#include "ropewalk/kernel/kernel.h"
#include "ropewalk/kernel/promise.hpp"
#include "ropewalk/kernel/resolved.hpp"

namespace ropewalk::test {
namespace {

TEST(Kernels, ExportsEachOnItsBestTarget) {
  std::size_t count = 0;
  const ropewalk_kernel* const* kernels = ropewalk_kernels(&count);
  ASSERT_EQ(count, 5u);
  EXPECT_STREQ(kernels[0]->name, "exact");
  EXPECT_EQ(promise_of(*kernels[0]), promise::exact);
  EXPECT_STREQ(kernels[1]->name, "cpu-turns");
  EXPECT_EQ(promise_of(*kernels[1]), promise::canonical);
  EXPECT_STREQ(kernels[2]->name, "cpu-table");
  EXPECT_EQ(promise_of(*kernels[2]), promise::canonical);
  EXPECT_STREQ(kernels[3]->name, "cpu-sinusoidal-add");
  EXPECT_EQ(kernels[3]->operation, ROPEWALK_ADD_ROW);
  EXPECT_STREQ(kernels[4]->name, "cpu-alibi-add");
  EXPECT_EQ(kernels[4]->operation, ROPEWALK_ADD_BIAS);
  for (std::size_t i = 0; i < count; ++i) {
    EXPECT_EQ(kernels[i]->struct_size, sizeof(ropewalk_kernel));
    EXPECT_EQ(kernels[i]->abi, ROPEWALK_ABI);
    if (i < 3)
      EXPECT_EQ(kernels[i]->operation, ROPEWALK_ROTATE);
    else
      EXPECT_EQ(promise_of(*kernels[i]), promise::canonical);
  }
  EXPECT_EQ(ropewalk_kernels(nullptr), kernels) << "the count is not required";
}

TEST(Kernels, EveryTargetHasItsOwn) {
  ASSERT_FALSE(simd::targets().empty());
  for (const simd::target* target : simd::targets())
    for (const std::string name : {"cpu-turns-", "cpu-table-"})
      EXPECT_EQ(
          std::count_if(all_kernels().begin(), all_kernels().end(),
                        [&](const ropewalk_kernel& kernel) { return kernel.name == name + target->name; }),
          1)
          << name << target->name;
  for (const ropewalk_kernel& kernel : addition_kernels())
    for (const simd::target* target : simd::targets())
      EXPECT_EQ(std::count_if(all_addition_kernels().begin(), all_addition_kernels().end(),
                              [&](const ropewalk_kernel& candidate) {
                                return candidate.name == std::string(kernel.name) + '-' + target->name;
                              }),
                1)
          << kernel.name << target->name;
  EXPECT_EQ(all_kernels().size(), built_in_kernels().size() + 2 * simd::targets().size());
}

TEST(Promise, IsReadAsMessagesListIt) {
  for (const promise_part& part : promise_parts)
    EXPECT_EQ(promise_named(std::string(part.name) + "=" + std::string(part.unrounded)), promise{})
        << part.name;
  EXPECT_EQ(promise_named("angle=f32,table=f32,rotation=f32,fused,entry=f32,sum=f32"), promise::angle_f32);
  for (const char* none : {"", "rotation=", "angle=data", "table", "fused,", "beauty", ",fused",
                           "fused,fused", "angle=exact,angle=f32", "angle=f32,fused,angle=exact"})
    EXPECT_EQ(promise_named(none), std::nullopt) << none;
}

TEST(ResolvedEncoding, NamesTheSequenceLengthWhereTheRuleLooksAtIt) {
  const auto seq_len_of = [](const rope_scaling& scaling) {
    const rope config{.base = 10000, .rotary_dim = 8, .scaling = scaling, .seq_len = 4096};
    return resolved_encoding(config, {.head_dim = 8}).view().seq_len;
  };
  EXPECT_EQ(seq_len_of(dynamic{.factor = 2, .max_position_embeddings = 2048}), 4096);
  EXPECT_EQ(seq_len_of(ntk{.factor = 2}), 0);
  EXPECT_EQ(seq_len_of({}), 0);
}

}  // namespace
}  // namespace ropewalk::test
