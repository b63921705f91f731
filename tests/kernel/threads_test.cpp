// One call on several threads: the bits of one thread, adjacent ranges, and errors that are reported.

#include "ropewalk/kernel/threads.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <mutex>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "kernel/kernels.hpp"
#include "kernel/rotation_case.hpp"

namespace ropewalk::test {
namespace {

constexpr int thread_counts[] = {1, 2, 3, 7, 64};

rotation_case eleven_tokens() {
  return {.encoding = {.base = 10000, .rotary_dim = 8}, .layout = {.head_dim = 10}, .batch = 1, .tokens = 11};
}

TEST(Threads, AnyNumberGivesTheSameBits) {
  std::mt19937_64 random(1);
  for (const ropewalk_kernel& kernel : built_in_kernels())
    for (const bool in_place : {false, true}) {
      rotation_case given = eleven_tokens();
      given.in_place = in_place;
      const tensors in = random_tensors(given, random);
      const planned plan(kernel, given);
      laid_out whole(given, in);
      ASSERT_EQ(plan.apply(whole.call), ROPEWALK_OK) << plan.error.text;
      for (const int threads : thread_counts) {
        laid_out split(given, in);
        ropewalk_error error{};
        EXPECT_EQ(apply_with_threads(kernel, plan.plan(), split.call, threads, &error), ROPEWALK_OK)
            << error.text;
        EXPECT_EQ(split.read(), whole.read()) << kernel.name << ", threads " << threads;
        EXPECT_TRUE(split.guards_are_intact());
      }
    }
}

TEST(Threads, ARangeWithinTheCallStaysARange) {
  std::mt19937_64 random(2);
  const rotation_case given = eleven_tokens();
  const tensors in = random_tensors(given, random);
  const planned plan(cpu_turns_kernel(), given);
  laid_out whole(given, in), split(given, in);
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
    ropewalk_kernel r = cpu_turns_kernel();
    r.apply = apply;
    return r;
  }
};

TEST(Threads, RangesMeetAndDifferByOneTokenAtMost) {
  for (const int threads : thread_counts) {
    ropewalk_rotation_call call = empty_call<rotate>();
    call.tokens.begin = 3;
    call.tokens.end = 14;
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

TEST(Threads, TheFirstErrorWins) {
  ropewalk_rotation_call call = empty_call<rotate>();
  call.tokens.end = 12;
  ropewalk_error error{};
  EXPECT_EQ(apply_with_threads(noted::kernel(5), nullptr, call, 4, &error), ROPEWALK_UNDECIDED);
  EXPECT_STREQ(error.field, "turns_256");
  EXPECT_STREQ(error.text, "3") << "ranges begin at 0, 3, 6 and 9";
  EXPECT_EQ(apply_with_threads(noted::kernel(5), nullptr, call, 4, nullptr), ROPEWALK_UNDECIDED);
}

/// Expects a call that is wrong as a whole to be refused before anything is written.
void expect_refused(const char* field, int threads, void (*spoil)(ropewalk_rotation_call&)) {
  std::mt19937_64 random(3);
  const rotation_case given = eleven_tokens();
  const tensors in = random_tensors(given, random);
  const planned plan(cpu_turns_kernel(), given);
  laid_out memory(given, in);
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

TEST(Threads, APlanIsRequired) {
  ropewalk_rotation_call call{};
  call.tokens.end = 2;
  ropewalk_error error{};
  EXPECT_EQ(apply_with_threads(cpu_turns_kernel(), nullptr, call, 2, &error), ROPEWALK_INVALID_ARGUMENT);
  EXPECT_STREQ(error.field, "plan");
}

}  // namespace
}  // namespace ropewalk::test
