// Encodings and formats that cpu-turns, cpu-table and their targets decline.

#include <gtest/gtest.h>

#include <random>
#include <string>

#include "kernel/cpu_rotations.hpp"
#include "kernel/head_transfer.hpp"
#include "kernel/kernels.hpp"
#include "kernel/rotation_case.hpp"
#include "ropewalk/config/rope_scaling.hpp"

namespace ropewalk::test {
namespace {

TEST(CpuTable, SaysWhenTheEncodingsNumbersDoNotDecide) {
  const rotation_case rotation{
      .encoding = {.base = 1e300, .rotary_dim = 16}, .layout = {.head_dim = 16}, .dtype = ROPEWALK_F64};
  std::mt19937_64 random(14);
  laid_out memory(rotation, random_tensors(rotation, random));
  const resolved_encoding resolved(rotation.encoding, rotation.layout);
  ropewalk_rotation encoding = resolved.view();
  encoding.turns_real = nullptr;  // keeps 256 significant bits of the slowest frequency, too
  const planned plan(cpu_table_kernel(), encoding);
  EXPECT_EQ(plan.apply(memory.call), ROPEWALK_UNDECIDED);
  EXPECT_STREQ(plan.error.field, "turns_256");
  EXPECT_NE(std::string(plan.error.text).find("cannot be rounded"), std::string::npos);
}

TEST(CpuTable, KeepsUnitRowsApartFromOthers) {
  rotation_case rotation{.encoding = {.base = 10000,
                                      .rotary_dim = 16,
                                      .scaling = yarn{.factor = 4, .original_max_position_embeddings = 64}},
                         .layout = {.head_dim = 16},
                         .tokens = 3,
                         .query_heads = 1,
                         .key_heads = 0,
                         .often = {0, 10}};
  std::mt19937_64 random(18);
  const tensors in = random_tensors(rotation, random);
  const planned plan(cpu_table_kernel(), rotation);
  for (const std::uint32_t flags : {ROPEWALK_UNIT, 0u, ROPEWALK_UNIT}) {
    rotation.flags = flags;
    laid_out memory(rotation, in);
    ASSERT_EQ(plan.apply(memory.call), ROPEWALK_OK) << plan.error.text;
    EXPECT_EQ(first_difference(ROPEWALK_F32, memory.read().query, canonical(rotation, in).query), -1)
        << flags;
  }
}

TEST(CpuTable, RefusesATableOfMoreThanAGibibyte) {
  const rope config{.base = 10000, .rotary_dim = 128};  // 1 KiB a row in binary64
  constexpr std::int64_t most = std::int64_t{1} << 20;
  const auto error_of = [&](std::int64_t end) {
    const resolved_encoding resolved(config, {.head_dim = 128}, {0, end});
    return std::string(planned(cpu_table_kernel(), resolved.view()).error.field);
  };
  EXPECT_EQ(error_of(most), "");
  EXPECT_EQ(error_of(most + 1), "table_end");
}

TEST(CpuTurns, DeclinesBinary64) {
  const rotation_case rotation{.dtype = ROPEWALK_F64};
  std::mt19937_64 random(15);
  laid_out memory(rotation, random_tensors(rotation, random));
  const tensors before = memory.read();
  const planned plan(cpu_turns_kernel(), rotation);
  EXPECT_EQ(plan.apply(memory.call), ROPEWALK_UNSUPPORTED);
  EXPECT_STREQ(plan.error.field, "query_in.dtype");
  EXPECT_EQ(memory.read(), before);
}

TEST(SimdTarget, DeclinesADtypeThatItHasNoVectorsFor) {
  simd::target target = *simd::targets().front();
  for (auto& by_pairing : target.turn[ROPEWALK_F16]) by_pairing[0] = by_pairing[1] = nullptr;
  const rotated_layout layout{.head = {.head_dim = 8}, .rotary_dim = 8};
  rotated_tensor tensor{};
  tensor.is_present = true;
  tensor.in.name = "key_in";
  tensor.in.dtype = ROPEWALK_BF16;
  EXPECT_NO_THROW(head_transfer(tensor, layout, target, false, false));
  tensor.in.dtype = ROPEWALK_F16;
  try {
    head_transfer(tensor, layout, target, false, false);
    ADD_FAILURE() << "not declined";
  } catch (const refused_call& refused) {
    EXPECT_EQ(refused.status(), ROPEWALK_UNSUPPORTED);
    EXPECT_EQ(refused.field(), "key_in.dtype");
    EXPECT_STREQ(refused.what(), "key_in.dtype is f16, which this kernel does not support on this target");
  }
}

}  // namespace
}  // namespace ropewalk::test
