// One call on several threads: the bits of one thread, adjacent ranges, and errors that are reported.

#include "ropewalk/kernel/threads.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <mutex>
#include <random>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "kernel/kernels.hpp"
#include "kernel/rotation_case.hpp"
#include "kernel/watched_threads.hpp"
#include "ropewalk/kernel/floating_environment.hpp"

namespace ropewalk::test {
namespace {

constexpr int thread_counts[] = {1, 2, 3, 7, 64};

rotation_case eleven_tokens() {
  return {.encoding = {.base = 10000, .rotary_dim = 8}, .layout = {.head_dim = 10}, .batch = 1, .tokens = 11};
}

/// Eleven tokens, each of which writes enough to be a range of its own.
rotation_case eleven_large_tokens() {
  return {.encoding = {.base = 10000, .rotary_dim = 1022},
          .layout = {.head_dim = 1024},
          .tokens = 11,
          .query_heads = least_bytes_of_range / (1024 * size_of(ROPEWALK_F32))};
}

TEST(Threads, AnyNumberGivesTheSameBits) {
  std::mt19937_64 random(1);
  const rotation_case rotation = eleven_large_tokens();
  const tensors in = random_tensors(rotation, random);
  thread_pool pool(3);
  for (const ropewalk_kernel& kernel : {cpu_table_kernel(), cpu_turns_kernel()}) {
    const planned plan(kernel, rotation);
    laid_out whole(rotation, in);
    ASSERT_EQ(plan.apply(whole.call), ROPEWALK_OK) << plan.error.text;
    const tensors expected = whole.read();
    for (const int threads : {2, 3, 64}) {
      laid_out split(rotation, in);
      EXPECT_EQ(apply_with_threads(kernel, plan.plan(), split.call, threads, nullptr), ROPEWALK_OK);
      EXPECT_EQ(split.read(), expected) << kernel.name << ", threads " << threads;
      EXPECT_TRUE(split.guards_are_intact());
    }
    laid_out split(rotation, in);
    EXPECT_EQ(apply_with_threads(kernel, plan.plan(), split.call, pool, nullptr), ROPEWALK_OK);
    EXPECT_EQ(split.read(), expected) << kernel.name;
  }
}

TEST(Threads, RangesOfAnyNumberGiveTheSameBits) {
  std::mt19937_64 random(1);
  thread_pool pool(3);
  for (const ropewalk_kernel& kernel : built_in_kernels())
    for (const bool in_place : {false, true}) {
      rotation_case rotation = eleven_tokens();
      rotation.in_place = in_place;
      const tensors in = random_tensors(rotation, random);
      const planned plan(kernel, rotation);
      laid_out whole(rotation, in);
      ASSERT_EQ(plan.apply(whole.call), ROPEWALK_OK) << plan.error.text;
      for (const int threads : thread_counts) {
        laid_out split(rotation, in);
        ropewalk_error error{};
        const ropewalk::detail::call_split ranges{std::min(threads, 11), 2};
        EXPECT_EQ(ropewalk::detail::apply_in_ranges(kernel, plan.plan(), split.call, ranges, pool, &error),
                  ROPEWALK_OK)
            << error.text;
        EXPECT_EQ(split.read(), whole.read()) << kernel.name << ", ranges " << ranges.ranges;
        EXPECT_TRUE(split.guards_are_intact());
      }
    }
}

TEST(Threads, ARangeWithinTheCallStaysARange) {
  std::mt19937_64 random(2);
  const rotation_case rotation = eleven_large_tokens();
  const tensors in = random_tensors(rotation, random);
  const planned plan(cpu_turns_kernel(), rotation);
  laid_out whole(rotation, in), split(rotation, in);
  for (ropewalk_rotation_call* call : {&whole.call, &split.call}) {
    call->tokens.begin = 2;
    call->tokens.end = 9;
  }
  ASSERT_EQ(plan.apply(whole.call), ROPEWALK_OK);
  EXPECT_EQ(apply_with_threads(cpu_turns_kernel(), plan.plan(), split.call, 3, nullptr), ROPEWALK_OK);
  EXPECT_EQ(split.read(), whole.read()) << "tokens outside the range are as they were";
}

/// A kernel that records the ranges of its calls, and fails in those that hold token `failing` or a later
/// one.
struct noted {
  static inline std::mutex mutex;
  static inline std::vector<std::pair<std::int64_t, std::int64_t>> ranges;
  static inline std::int64_t failing;

  static std::int32_t apply(const ropewalk_plan*, const ropewalk_head* call, ropewalk_error* error) {
    const ropewalk_tokens tokens = read_struct<ropewalk_rotation_call>(call, ROPEWALK_ROTATE, "call").tokens;
    const std::lock_guard lock(mutex);
    if (tokens.begin == tokens.end) return ROPEWALK_OK;
    ranges.emplace_back(tokens.begin, tokens.end);
    if (tokens.end <= failing) return ROPEWALK_OK;
    return ropewalk::detail::report(error, ROPEWALK_UNDECIDED, "turns_256", std::to_string(tokens.begin));
  }
  static ropewalk_kernel kernel(std::int64_t first_failing) {
    ranges.clear();
    failing = first_failing;
    ropewalk_kernel kernel = cpu_turns_kernel();
    kernel.apply = apply;
    return kernel;
  }
};

/// A call on no memory, whose tokens write `bytes` each.
ropewalk_rotation_call call_that_writes(std::int64_t bytes, std::int64_t begin, std::int64_t end) {
  static std::byte never_written;
  ropewalk_rotation_call call = empty_call<rotate>();
  call.query_out = {&never_written, ROPEWALK_F16, 3, {end, 2, bytes / 4}, {}};
  call.tokens.begin = begin;
  call.tokens.end = end;
  return call;
}

TEST(Threads, RangesMeetAndDifferByOneTokenAtMost) {
  for (const int threads : thread_counts) {
    const ropewalk_rotation_call call = call_that_writes(least_bytes_of_range, 3, 14);
    EXPECT_EQ(apply_with_threads(noted::kernel(14), nullptr, call, threads, nullptr), ROPEWALK_OK);
    std::sort(noted::ranges.begin(), noted::ranges.end());
    ASSERT_EQ(noted::ranges.size(), static_cast<std::size_t>(std::min(threads, 11)));
    std::int64_t next = 3, shortest = 11, longest = 0;
    for (const auto& [begin, end] : noted::ranges) {
      EXPECT_EQ(begin, next);
      shortest = std::min(shortest, end - begin);
      longest = std::max(longest, end - begin);
      next = end;
    }
    EXPECT_EQ(next, 14);
    EXPECT_LE(longest - shortest, 1);
    EXPECT_GE(shortest, 1);
  }
}

TEST(Threads, ACallIsSplitByTheBytesThatItWrites) {
  constexpr std::int64_t tokens = 8, range = least_bytes_of_range / tokens,
                         woken = least_bytes_of_woken / tokens;
  const auto split = [&](std::int64_t bytes, int threads) {
    const ropewalk::detail::call_split result =
        ropewalk::detail::split_of(call_that_writes(bytes, 0, tokens), threads);
    return std::pair(result.ranges, result.most_woken);
  };
  EXPECT_EQ(split(range, 2), std::pair(1, 0));
  EXPECT_EQ(split(2 * range - 4, 2), std::pair(1, 0));
  EXPECT_EQ(split(2 * range, 2), std::pair(2, 0));
  EXPECT_EQ(split(5 * range, 2), std::pair(2, 0));
  EXPECT_EQ(split(5 * range, 64), std::pair(5, 0));
  EXPECT_EQ(split(2 * woken - 4, 2), std::pair(2, 0));
  EXPECT_EQ(split(2 * woken, 2), std::pair(2, 1));
  EXPECT_EQ(split(5 * woken, 64), std::pair(8, 4)) << "a range for each token, four of them woken for";
  EXPECT_EQ(split(5 * woken, 1), std::pair(1, 0));
}

TEST(Threads, BytesOfEveryOutputCount) {
  static std::byte never_written;
  const ropewalk_tensor three{&never_written, ROPEWALK_F32, 3, {9, 3, 5, 0}, {}},
      four{&never_written, ROPEWALK_F64, 4, {9, 9, 3, 5}, {}};
  ropewalk_rotation_call both = empty_call<rotate>();
  both.query_out = three;
  both.key_out = four;
  EXPECT_EQ(ropewalk::detail::bytes_per_token(both), 3 * 5 * 4 + 3 * 5 * 8);
  ropewalk_row_call row = empty_call<add_row>();
  row.out = three;
  EXPECT_EQ(ropewalk::detail::bytes_per_token(row), 3 * 5 * 4);
  ropewalk_bias_call bias = empty_call<add_bias>();
  bias.scores_out = four;
  EXPECT_EQ(ropewalk::detail::bytes_per_token(bias), 3 * 5 * 8);
  bias.scores_out.dtype = 9;
  EXPECT_EQ(ropewalk::detail::bytes_per_token(bias), 0) << "a call that is refused is not split";
}

TEST(Threads, TheFirstErrorWins) {
  const ropewalk_rotation_call call = call_that_writes(least_bytes_of_range, 0, 12);
  ropewalk_error error{};
  EXPECT_EQ(apply_with_threads(noted::kernel(5), nullptr, call, 4, &error), ROPEWALK_UNDECIDED);
  EXPECT_STREQ(error.field, "turns_256");
  EXPECT_STREQ(error.text, "3") << "ranges begin at 0, 3, 6 and 9";
  EXPECT_EQ(apply_with_threads(noted::kernel(5), nullptr, call, 4, nullptr), ROPEWALK_UNDECIDED);
}

/// Expects a call that is wrong as a whole to be refused before anything is written.
void expect_refused(const char* field, int threads, void (*spoil)(ropewalk_rotation_call&)) {
  std::mt19937_64 random(3);
  const rotation_case rotation = eleven_large_tokens();
  const tensors in = random_tensors(rotation, random);
  const planned plan(cpu_turns_kernel(), rotation);
  laid_out memory(rotation, in);
  const tensors before = memory.read();
  spoil(memory.call);
  ropewalk_error error{};
  EXPECT_EQ(apply_with_threads(cpu_turns_kernel(), plan.plan(), memory.call, threads, &error),
            ROPEWALK_INVALID_ARGUMENT)
      << field << ", threads " << threads;
  EXPECT_STREQ(error.field, field);
  EXPECT_NE(error.text[0], '\0');
  EXPECT_EQ(memory.read(), before);
}

TEST(Threads, AWrongCallIsRefusedAsAWhole) {
  for (const int threads : thread_counts) {
    expect_refused("query_in.dtype", threads, [](ropewalk_rotation_call& c) { c.query_in.dtype = 9; });
    expect_refused("struct_size", threads, [](ropewalk_rotation_call& c) { c.head.struct_size = 0; });
    expect_refused("tokens.end", threads, [](ropewalk_rotation_call& c) { c.tokens.end = 12; });
    expect_refused("tokens.end", threads, [](ropewalk_rotation_call& c) { c.tokens.end = -1; });
    expect_refused("tokens.begin", threads, [](ropewalk_rotation_call& c) { c.tokens.begin = -1; });
  }
  expect_refused("threads", 0, [](ropewalk_rotation_call&) {});
  expect_refused("threads", -2, [](ropewalk_rotation_call&) {});
}

TEST(Threads, WhatAKernelThrowsIsAStatus) {
  ropewalk_kernel kernel = cpu_turns_kernel();
  kernel.apply = [](const ropewalk_plan*, const ropewalk_head* call, ropewalk_error*) -> std::int32_t {
    const ropewalk_tokens tokens = read_struct<ropewalk_rotation_call>(call, ROPEWALK_ROTATE, "call").tokens;
    if (tokens.begin < tokens.end) throw std::runtime_error("thrown");
    return ROPEWALK_OK;
  };
  ropewalk_error error{};
  for (const int threads : {1, 2})
    EXPECT_EQ(
        apply_with_threads(kernel, nullptr, call_that_writes(least_bytes_of_range, 0, 2), threads, &error),
        ROPEWALK_INVALID_ARGUMENT);
  EXPECT_STREQ(error.text, "thrown");
}

TEST(Threads, TheCallersFloatingEnvironmentIsNeitherUsedNorChanged) {
  std::mt19937_64 random(4);
  const rotation_case rotation = eleven_large_tokens();
  const tensors in = random_tensors(rotation, random);
  const planned plan(cpu_turns_kernel(), rotation);
  laid_out whole(rotation, in);
  ASSERT_EQ(plan.apply(whole.call), ROPEWALK_OK);
  for (const floating_registers& around : {flushing_floating_registers(), upward_floating_registers()}) {
    laid_out split(rotation, in);
    const floating_registers before = read_floating_registers();
    write_floating_registers(around);
    thread_pool pool(3);  // whose workers inherit the environment
    const std::int32_t status =
        apply_with_threads(cpu_turns_kernel(), plan.plan(), split.call, pool, nullptr);
    const floating_registers after = read_floating_registers();
    write_floating_registers(before);
    EXPECT_EQ(status, ROPEWALK_OK);
    EXPECT_EQ(after, around);
    EXPECT_EQ(split.read(), whole.read());
  }
}

TEST(Threads, ACallOnThreadsThatAreThereAllocatesNothing) {
  ropewalk_kernel kernel = cpu_turns_kernel();  // which itself allocates
  kernel.apply = [](const ropewalk_plan*, const ropewalk_head*, ropewalk_error*) -> std::int32_t {
    return ROPEWALK_OK;
  };
  const ropewalk_rotation_call call = call_that_writes(least_bytes_of_woken, 0, 9);
  const auto apply = [&] { return apply_with_threads(kernel, nullptr, call, 3, nullptr); };
  EXPECT_EQ(apply(), ROPEWALK_OK);
  const std::size_t threads = thread_states().size();
  const long before = allocations;
  for (int i = 0; i < 100; ++i) EXPECT_EQ(apply(), ROPEWALK_OK);
  EXPECT_EQ(allocations, before);
  EXPECT_LE(thread_states().size(), threads);
}

TEST(Threads, APlanIsRequired) {
  ropewalk_rotation_call call = call_that_writes(least_bytes_of_range, 0, 2);
  ropewalk_error error{};
  EXPECT_EQ(apply_with_threads(cpu_turns_kernel(), nullptr, call, 2, &error), ROPEWALK_INVALID_ARGUMENT);
  EXPECT_STREQ(error.field, "plan");
}

}  // namespace
}  // namespace ropewalk::test
