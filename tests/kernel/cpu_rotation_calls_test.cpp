// Forms of a call to cpu-turns and cpu-table: token ranges, sequences, axes and tensors, against the mirror.

#include <gtest/gtest.h>

#include <random>
#include <thread>
#include <vector>

#include "kernel/cpu_rotations.hpp"
#include "kernel/head_transfer.hpp"
#include "kernel/rotation_case.hpp"

namespace ropewalk::test {
namespace {

TEST_P(CpuRotation, TokenRangesJoinToTheWhole) {
  const rotation_case rotation{.dtype = ROPEWALK_BF16, .batch = 3, .tokens = 4, .query_heads = 2};
  std::mt19937_64 random(5);
  const tensors in = random_tensors(rotation, random);
  const planned plan(kernel(), rotation);
  laid_out whole(rotation, in);
  ASSERT_EQ(plan.apply(whole.call), ROPEWALK_OK);
  for (std::int64_t cut = 0; cut <= 12; ++cut) {
    laid_out parts(rotation, in);
    parts.call.tokens.end = cut;
    ASSERT_EQ(plan.apply(parts.call), ROPEWALK_OK);
    parts.call.tokens.begin = cut;
    parts.call.tokens.end = 12;
    ASSERT_EQ(plan.apply(parts.call), ROPEWALK_OK);
    EXPECT_EQ(parts.read(), whole.read()) << cut;
    EXPECT_TRUE(parts.guards_are_intact());
  }
}

TEST_P(CpuRotation, ATokenRangeWritesNoOtherToken) {
  const rotation_case rotation{.batch = 2, .tokens = 3, .query_heads = 1, .key_heads = 0};
  std::mt19937_64 random(6);
  const tensors in = random_tensors(rotation, random);
  const planned plan(kernel(), rotation);
  laid_out memory(rotation, in);
  const std::vector<std::uint64_t> before = memory.read().query;
  memory.call.tokens.begin = 2;
  memory.call.tokens.end = 4;
  ASSERT_EQ(plan.apply(memory.call), ROPEWALK_OK);
  const std::vector<std::uint64_t> after = memory.read().query, wanted = canonical(rotation, in).query;
  for (std::size_t i = 0; i < after.size(); ++i) {
    const bool is_done = i / 8 >= 2 && i / 8 < 4;
    EXPECT_TRUE(same_bits<float>(static_cast<std::uint32_t>(after[i]),
                                 static_cast<std::uint32_t>(is_done ? wanted[i] : before[i])))
        << i;
  }
}

TEST_P(CpuRotation, SequencesOfOneTensorAreCountedFromZeroEach) {
  const rotation_case rotation{.tokens = 7, .positions = {0, 1, 2, 0, 0, 1, 2}};
  std::mt19937_64 random(7);
  const tensors in = random_tensors(rotation, random);
  const planned plan(kernel(), rotation);
  laid_out memory(rotation, in);
  const std::int64_t offsets[] = {0, 3, 3, 4, 7, 7};
  for (ropewalk_tensor* tensor :
       {&memory.call.query_in, &memory.call.query_out, &memory.call.key_in, &memory.call.key_out}) {
    tensor->rank = 3;
    for (int axis = 0; axis < 3; ++axis) {
      tensor->shape[axis] = tensor->shape[axis + 1];
      tensor->stride[axis] = tensor->stride[axis + 1];
    }
  }
  memory.call.tokens.positions = {};
  memory.call.tokens.sequence_offset = offsets;
  memory.call.tokens.sequences = 5;
  ASSERT_EQ(plan.apply(memory.call), ROPEWALK_OK) << plan.error.text;
  const tensors wanted = canonical(rotation, in), got = memory.read();
  EXPECT_EQ(first_difference(ROPEWALK_F32, got.query, wanted.query), -1);
  EXPECT_EQ(first_difference(ROPEWALK_F32, got.key, wanted.key), -1);
}

TEST_P(CpuRotation, EachPairTakesItsAxissPosition) {
  const rotation_case rotation{.tokens = 2, .query_heads = 1, .key_heads = 0};
  std::mt19937_64 random(8);
  const tensors in = random_tensors(rotation, random);
  const resolved_encoding resolved(rotation.encoding, rotation.layout);
  ropewalk_rotation encoding = resolved.view();
  const std::int32_t axis[] = {1, 0, 2, 1};
  encoding.axes = 3;
  encoding.axis = axis;
  const planned plan(kernel(), encoding);
  ASSERT_EQ(plan.status, ROPEWALK_OK) << plan.error.text;
  laid_out memory(rotation, in);
  const std::int32_t positions[3][2] = {{10, 20}, {-3, 5}, {1000, 70000}};
  memory.call.tokens.positions = given_positions(&positions[0][0], {2, 2, 1}, 3);
  ASSERT_EQ(plan.apply(memory.call), ROPEWALK_OK);
  const std::vector<std::uint64_t> got = memory.read().query;
  for (std::size_t pair = 0; pair < 4; ++pair) {
    rotation_case one_axis = rotation;
    one_axis.positions = {positions[axis[pair]][0], positions[axis[pair]][1]};
    const std::vector<std::uint64_t> wanted = canonical(one_axis, in).query;
    for (const std::size_t i : {pair, pair + 4, pair + 8, pair + 12})
      EXPECT_TRUE(same_bits<float>(static_cast<std::uint32_t>(got[i]), static_cast<std::uint32_t>(wanted[i])))
          << i;
  }
}

// Rows of tokens that wait together: one position on all axes, then rows and columns, then one position
// again.
TEST_P(CpuRotation, TextAndPicturesFollowOneAnother) {
  constexpr int pairs = 32, tokens = 27;
  rotation_case rotation{.tokens = tokens, .query_heads = 1, .key_heads = 0};
  rotation.encoding.rotary_dim = rotation.layout.head_dim = 2 * pairs;
  std::vector<std::int32_t> axis, positions(3 * tokens);
  for (int pair = 0; pair < pairs; ++pair) axis.push_back(pair % 3);
  for (int token = 0; token < tokens; ++token) {
    const bool is_text = token < 11 || token >= 19;
    const int frame = is_text ? 40 + token : 51, row = (token - 11) / 4, column = (token - 11) % 4;
    const int of_axis[] = {frame, is_text ? frame : frame + row, is_text ? frame : frame + column};
    for (int i = 0; i < 3; ++i) positions[static_cast<std::size_t>(i * tokens + token)] = of_axis[i];
  }
  std::mt19937_64 random(17);
  const tensors in = random_tensors(rotation, random);
  const resolved_encoding resolved(rotation.encoding, rotation.layout);
  ropewalk_rotation encoding = resolved.view();
  encoding.axes = 3;
  encoding.axis = axis.data();
  const planned plan(kernel(), encoding);
  ASSERT_EQ(plan.status, ROPEWALK_OK) << plan.error.text;
  laid_out memory(rotation, in);
  memory.call.tokens.positions = given_positions(positions.data(), {tokens, 0, 1}, 3);
  ASSERT_EQ(plan.apply(memory.call), ROPEWALK_OK);
  const std::vector<std::uint64_t> got = memory.read().query;
  for (int count = 0; count < 3; ++count) {
    rotation_case one_axis = rotation;
    one_axis.positions.assign(positions.begin() + count * tokens, positions.begin() + (count + 1) * tokens);
    const std::vector<std::uint64_t> wanted = canonical(one_axis, in).query;
    for (std::size_t i = 0; i < got.size(); ++i)
      if (axis[i % pairs] == count) {
        EXPECT_TRUE(
            same_bits<float>(static_cast<std::uint32_t>(got[i]), static_cast<std::uint32_t>(wanted[i])))
            << "token " << i / (2 * pairs) << ", channel " << i % (2 * pairs);
      }
  }
}

TEST_P(CpuRotation, QueryAndKeyPackedSideBySideAreTurnedInPlace) {
  // One row per token: 2 query heads, then 1 key head, then 1 value head that is not touched.
  const rotation_case rotation{.tokens = 3, .query_heads = 2, .key_heads = 1, .in_place = true};
  std::mt19937_64 random(9);
  const tensors in = random_tensors(rotation, random);
  std::vector<std::uint32_t> packed(3 * 4 * 8, 0x7fa12345);
  for (std::size_t token = 0; token < 3; ++token) {
    for (std::size_t i = 0; i < 16; ++i)
      packed[token * 32 + i] = static_cast<std::uint32_t>(in.query[token * 16 + i]);
    for (std::size_t i = 0; i < 8; ++i)
      packed[token * 32 + 16 + i] = static_cast<std::uint32_t>(in.key[token * 8 + i]);
  }
  const auto part = [&](std::size_t first, std::int64_t heads) {
    return ropewalk_tensor{packed.data() + first, ROPEWALK_F32, 3, {3, heads, 8}, {32, 8, 1}};
  };
  laid_out memory(rotation, in);
  memory.call.query_in = memory.call.query_out = part(0, 2);
  memory.call.key_in = memory.call.key_out = part(16, 1);
  const planned plan(kernel(), rotation);
  ASSERT_EQ(plan.apply(memory.call), ROPEWALK_OK) << plan.error.text;
  const tensors wanted = canonical(rotation, in);
  for (std::size_t token = 0; token < 3; ++token)
    for (std::size_t i = 0; i < 32; ++i) {
      const std::uint64_t bits = i < 16   ? wanted.query[token * 16 + i]
                                 : i < 24 ? wanted.key[token * 8 + i - 16]
                                          : 0x7fa12345;
      EXPECT_TRUE(same_bits<float>(packed[token * 32 + i], static_cast<std::uint32_t>(bits)))
          << token << ' ' << i;
    }
}

TEST_P(CpuRotation, ReadsAHeadBroadcastToMany) {
  const rotation_case rotation{.tokens = 2, .query_heads = 3, .key_heads = 0};
  std::mt19937_64 random(10);
  tensors in = random_tensors(rotation, random);
  for (std::size_t i = 0; i < in.query.size(); ++i) in.query[i] = in.query[i / 24 * 24 + i % 8];
  laid_out memory(rotation, in);
  memory.call.query_in.stride[2] = 0;
  const planned plan(kernel(), rotation);
  ASSERT_EQ(plan.apply(memory.call), ROPEWALK_OK) << plan.error.text;
  EXPECT_EQ(first_difference(ROPEWALK_F32, memory.read().query, canonical(rotation, in).query), -1);
}

TEST_P(CpuRotation, EmptyTensorsAreNoError) {
  for (const std::int64_t tokens : {0, 2}) {
    const rotation_case rotation{.tokens = tokens, .query_heads = tokens == 0 ? 2 : 0, .key_heads = 0};
    laid_out memory(rotation, {});
    const planned plan(kernel(), rotation);
    EXPECT_EQ(plan.apply(memory.call), ROPEWALK_OK) << plan.error.text;
    EXPECT_TRUE(memory.guards_are_intact());
  }
}

TEST_P(CpuRotation, OnePlanServesManyThreads) {
  const rotation_case rotation{.encoding = {.base = 10000, .rotary_dim = 32},
                               .layout = {.head_dim = 32},
                               .batch = 4,
                               .tokens = 64,
                               .often = {0, 48}};
  std::mt19937_64 random(12);
  const tensors in = random_tensors(rotation, random);
  laid_out memory(rotation, in);
  const planned plan(kernel(), rotation);
  std::vector<std::thread> threads;
  std::vector<std::int32_t> status(4, -1);
  for (std::int64_t row = 0; row < 4; ++row)
    threads.emplace_back([&, row] {
      ropewalk_rotation_call call = memory.call;
      call.tokens.begin = row * 64;
      call.tokens.end = (row + 1) * 64;
      status[static_cast<std::size_t>(row)] = kernel().apply(plan.plan(), &call.head, nullptr);
    });
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(status, std::vector<std::int32_t>(4, ROPEWALK_OK));
  EXPECT_EQ(first_difference(ROPEWALK_F32, memory.read().query, canonical(rotation, in).query), -1);
}

}  // namespace
}  // namespace ropewalk::test
