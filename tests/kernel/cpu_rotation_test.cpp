// cpu-turns and cpu-table against the mirror, bit for bit, on every target that this processor has.

#include <gtest/gtest.h>

#include <limits>
#include <random>
#include <string>
#include <string_view>
#include <vector>

#include "kernel/cpu_rotations.hpp"
#include "kernel/head_transfer.hpp"
#include "kernel/kernel_test_name.hpp"
#include "kernel/kernels.hpp"
#include "kernel/rotation_case.hpp"
#include "ropewalk/config/rope_scaling.hpp"

namespace ropewalk::test {
namespace {

constexpr pairing both_pairings[] = {pairing::interleaved, pairing::half_split};
constexpr std::int32_t last_position = std::numeric_limits<std::int32_t>::max();
constexpr std::int32_t first_position = std::numeric_limits<std::int32_t>::min();

std::vector<ropewalk_kernel> rotations() {
  const auto all = all_kernels();
  std::vector<ropewalk_kernel> rotations;
  for (const ropewalk_kernel& kernel : all)
    if (std::string_view(kernel.name).starts_with("cpu-")) rotations.push_back(kernel);
  return rotations;
}

INSTANTIATE_TEST_SUITE_P(Kernels, CpuRotation, testing::ValuesIn(rotations()), test_name);

TEST_P(CpuRotation, GivesTheMirrorsBitsForEveryDtypeAndPairing) {
  std::uint64_t seed = 1;
  for (const ropewalk_dtype dtype : dtypes())
    for (const pairing in : both_pairings)
      for (const pairing out : both_pairings)
        for (const bool in_place : {false, true}) {
          SCOPED_TRACE(std::string(name_of(dtype)) + ' ' + name_of(in) + ' ' + name_of(out) +
                       (in_place ? " in place" : ""));
          expect_canonical({.encoding = {.base = 10000, .rotary_dim = 12},
                            .layout = {.head_dim = 17, .pairing_in = in, .pairing_out = out},
                            .dtype = dtype,
                            .tokens = 5,
                            .query_heads = 3,
                            .key_heads = 2,
                            .in_place = in_place},
                           seed++);
        }
}

TEST_P(CpuRotation, GivesTheMirrorsBitsInEveryArrangement) {
  std::uint64_t seed = 100;
  for (const ropewalk_dtype dtype : dtypes())
    for (const arrangement how : all_arrangements)
      for (const bool in_place : {false, true})
        expect_canonical({.layout = {.head_dim = 11, .pairing_in = pairing::interleaved},
                          .dtype = dtype,
                          .batch = 2,
                          .tokens = 3,
                          .how = how,
                          .in_place = in_place},
                         seed++);
}

TEST_P(CpuRotation, TurnsFromTheFirstChannelThatRotates) {
  std::uint64_t seed = 300;
  for (const ropewalk_dtype dtype : dtypes())
    for (const arrangement how : all_arrangements)
      for (const pairing in : both_pairings)
        for (const bool in_place : {false, true})
          for (const int begin : {1, 5}) {
            SCOPED_TRACE(std::string(name_of(dtype)) + ' ' + name_of(in) + (in_place ? " in place" : ""));
            expect_canonical({.encoding = {.base = 10000, .rotary_dim = 12},
                              .layout = {.head_dim = 17, .pairing_in = in, .rotary_begin = begin},
                              .dtype = dtype,
                              .batch = 2,
                              .how = how,
                              .in_place = in_place},
                             seed++);
          }
}

TEST_P(CpuRotation, LeavesNoTailForAnyNumberOfPairsAndHeads) {
  for (int rotary_dim = 2; rotary_dim <= 40; rotary_dim += 2)
    for (const int rest : {0, 1, 7})
      expect_canonical({.encoding = {.base = 10000, .rotary_dim = rotary_dim},
                        .layout = {.head_dim = rotary_dim + rest},
                        .dtype = dtypes()[static_cast<std::size_t>(rotary_dim) / 2 % dtypes().size()],
                        .tokens = 2,
                        .query_heads = rotary_dim % 7 + 1,
                        .key_heads = rotary_dim % 5},
                       static_cast<std::uint64_t>(rotary_dim));
}

TEST_P(CpuRotation, TurnsByPositionsFarAwayAndNegative) {
  for (const ropewalk_dtype dtype : dtypes())
    for (const std::uint32_t flags :
         {0u, ROPEWALK_BACKWARD, ROPEWALK_UNIT, ROPEWALK_UNIT | ROPEWALK_BACKWARD})
      expect_canonical({.encoding = {.base = 500000,
                                     .rotary_dim = 16,
                                     .scaling = yarn{.factor = 4, .original_max_position_embeddings = 8192}},
                        .layout = {.head_dim = 16},
                        .dtype = dtype,
                        .tokens = 9,
                        .flags = flags,
                        .positions = {0, 1, -1, 16777217, -16777217, 131071, last_position, first_position,
                                      first_position + 1}},
                       flags + 7);
}

TEST_P(CpuRotation, RowsOfTheTableAndRowsOnTheSpotAreTheSame) {
  for (const ropewalk_dtype dtype : dtypes())
    for (const std::uint32_t flags : {0u, ROPEWALK_UNIT | ROPEWALK_BACKWARD})
      expect_canonical(
          {.encoding = {.base = 10000,
                        .rotary_dim = 64,
                        .scaling = yarn{.factor = 2, .original_max_position_embeddings = 64}},
           .layout = {.head_dim = 64},
           .dtype = dtype,
           .batch = 2,
           .tokens = 10,
           .flags = flags,
           .positions = {-21, -20, -1, 0, 1, 500, 699, 700, 701, 7, 6, 5, 4, 3, 2, 1, 0, -1, -2, -20},
           .often = {-20, 700}},
          flags + 3);
}

TEST_P(CpuRotation, TurnsBackwardInEitherPairing) {
  for (const ropewalk_dtype dtype : dtypes())
    for (const pairing both : {pairing::interleaved, pairing::half_split})
      expect_canonical({.encoding = {.base = 10000, .rotary_dim = 96},
                        .layout = {.head_dim = 96, .pairing_in = both, .pairing_out = both},
                        .dtype = dtype,
                        .flags = ROPEWALK_BACKWARD},
                       5);
}

TEST_P(CpuRotation, TurnsBackwardThroughABuffer) {
  for (const ropewalk_dtype dtype : dtypes())
    for (const arrangement how : all_arrangements)
      expect_canonical({.layout = {.head_dim = 11, .pairing_in = pairing::interleaved},
                        .dtype = dtype,
                        .tokens = 2,
                        .how = how,
                        .in_place = true,
                        .flags = ROPEWALK_BACKWARD},
                       6);
}

/// Rows computed ahead wait for a token between them whose row is in the table.
TEST_P(CpuRotation, PositionsRunOnAfterOneOfTheTable) {
  expect_canonical({.encoding = {.base = 10000, .rotary_dim = 32},
                    .layout = {.head_dim = 32},
                    .tokens = 9,
                    .positions = {100, 101, 5, 102, 103, 104, 6, 105, 106},
                    .often = {0, 10}},
                   4);
}

TEST_P(CpuRotation, FrequenciesBelowEveryBitOfTheFractionsKeepTheirSigns) {
  // The slowest pair turns by less than 2^-870 of a turn per position: its sines round to signed zeros.
  const rotation_case rotation{.encoding = {.base = 1e300, .rotary_dim = 16},
                               .layout = {.head_dim = 16},
                               .tokens = 4,
                               .positions = {1, -1, last_position, first_position}};
  expect_canonical(rotation, 13);
}

TEST_P(CpuRotation, PassThroughKeepsASignallingNan) {
  rotation_case rotation{.layout = {.head_dim = 10}, .tokens = 1, .query_heads = 1, .key_heads = 0};
  std::mt19937_64 random(11);
  tensors in = random_tensors(rotation, random);
  in.query[8] = 0x7fa00001;
  in.query[9] = 0x80000001;
  laid_out memory(rotation, in);
  const planned plan(kernel(), rotation);
  ASSERT_EQ(plan.apply(memory.call), ROPEWALK_OK);
  EXPECT_EQ(memory.read().query[8], 0x7fa00001u);
  EXPECT_EQ(memory.read().query[9], 0x80000001u);
}

}  // namespace
}  // namespace ropewalk::test
