// vulkan-turns and vulkan-table against the mirror, bit for bit, with the validation layer looking on.

#include "gpu/kernels.hpp"

#include <gtest/gtest.h>

#include <cstring>
#include <limits>
#include <random>
#include <thread>

#include "gpu/watched_device.hpp"
#include "kernel/kernels.hpp"
#include "kernel/rotation_case.hpp"
#include "ropewalk/config/rope_scaling.hpp"

namespace ropewalk::test {
namespace {

constexpr ropewalk_dtype dtypes[] = {ROPEWALK_F32, ROPEWALK_F16, ROPEWALK_BF16};
constexpr pairing pairings[] = {pairing::interleaved, pairing::half_split};
constexpr std::int32_t last_position = std::numeric_limits<std::int32_t>::max();
constexpr std::int32_t first_position = std::numeric_limits<std::int32_t>::min();

void expect_canonical(const rotation_case& given, std::uint64_t seed) {
  std::mt19937_64 random(seed);
  const tensors in = random_tensors(given, random);
  const tensors wanted = canonical(given, in);
  for (const ropewalk_kernel& kernel : vulkan_rotations()) {
    laid_out memory(given, in);
    const planned plan(kernel, given);
    ASSERT_EQ(plan.status, ROPEWALK_OK) << plan.error.text;
    ASSERT_EQ(plan.apply(memory.call), ROPEWALK_OK) << plan.error.text;
    const tensors got = memory.read();
    EXPECT_EQ(first_difference(given.dtype, got.query, wanted.query), -1) << kernel.name;
    EXPECT_EQ(first_difference(given.dtype, got.key, wanted.key), -1) << kernel.name;
    EXPECT_TRUE(memory.guards_are_intact());
  }
}

/// Both ends, around powers of two, and any.
std::vector<std::int32_t> spread_positions(std::size_t count, std::uint64_t seed) {
  std::mt19937_64 random(seed);
  std::vector<std::int32_t> r{0, 1, -1, last_position, first_position, first_position + 1};
  while (r.size() < count) {
    const auto magnitude = static_cast<std::int32_t>(random() >> (33 + random() % 31));
    r.push_back(random() % 2 == 0 ? magnitude : -magnitude);
  }
  return r;
}

/// 2 rotate 2 of 2, 3 and 6 rotate 6, 20 passes 4 channels through: by fours, and by words.
TEST(VulkanRope, EqualsTheMirrorInEveryShape) {
  const watched_device device;
  for (const ropewalk_dtype dtype : dtypes)
    for (const pairing in : pairings)
      for (const pairing out : pairings)
        for (const int head_dim : {2, 3, 6, 8, 20, 21, 128}) {
          rotation_case given{.dtype = dtype, .batch = 2, .tokens = 11};
          given.encoding = {.base = 10000, .rotary_dim = head_dim == 20 ? 16 : head_dim / 2 * 2};
          given.layout = {.head_dim = head_dim, .pairing_in = in, .pairing_out = out};
          given.positions = spread_positions(22, 5);
          expect_canonical(given, static_cast<std::uint64_t>(head_dim));
        }
}

TEST(VulkanRope, EqualsTheMirrorInEveryArrangementAndDirection) {
  const watched_device device;
  for (const ropewalk_dtype dtype : dtypes)
    for (const arrangement how : all_arrangements)
      for (const std::uint32_t flags :
           {0u, ROPEWALK_BACKWARD, ROPEWALK_UNIT, ROPEWALK_BACKWARD | ROPEWALK_UNIT})
        for (const bool in_place : {false, true}) {
          rotation_case given{.dtype = dtype,
                              .batch = 2,
                              .tokens = 3,
                              .query_heads = 3,
                              .key_heads = 2,
                              .how = how,
                              .in_place = in_place,
                              .flags = flags};
          given.positions = {5, -7, 131071, 0, last_position, first_position};
          expect_canonical(given, flags);
        }
}

TEST(VulkanRope, TakesAttentionFactorsOfYarnAndLongrope) {
  const watched_device device;
  for (const double factor : {4.0, 40.0}) {
    rotation_case given{.tokens = 64, .key_heads = 0};
    given.encoding = {.base = 1000000, .rotary_dim = 128};
    given.encoding.scaling = yarn{.factor = factor, .original_max_position_embeddings = 32768};
    given.layout = {.head_dim = 128};
    given.positions = spread_positions(64, 9);
    for (const std::uint32_t flags : {0u, ROPEWALK_UNIT}) {
      given.flags = flags;
      expect_canonical(given, 3);
    }
  }
}

TEST(VulkanRope, NothingIsStillNothing) {
  const watched_device device;
  for (const auto& [tokens, heads] : {std::pair{0, 2}, {3, 0}}) {
    rotation_case given{.tokens = tokens, .query_heads = heads, .key_heads = heads};
    expect_canonical(given, 1);
  }
}

/// A staged device, one whose buffers hold few tokens, and one that dispatches few workgroups at once.
TEST(VulkanRope, LimitsOfADeviceChangeNoBit) {
  for (const vulkan::device_options& options :
       {vulkan::device_options{.forces_staging = true}, vulkan::device_options{.storage_buffer_bytes = 4096},
        vulkan::device_options{.workgroups = 3}}) {
    const watched_device device(options);
    for (const ropewalk_dtype dtype : dtypes)
      for (const int head_dim : {64, 21}) {
        rotation_case given{.dtype = dtype, .tokens = 200, .query_heads = 4};
        given.encoding = {.base = 10000, .rotary_dim = head_dim / 2 * 2};
        given.layout = {.head_dim = head_dim};
        expect_canonical(given, 12);
      }
  }
}

TEST(VulkanRope, AnswersOfManyThreadsAreThose) {
  const watched_device device;
  const rotation_case given{.tokens = 50};
  std::mt19937_64 random(7);
  const tensors in = random_tensors(given, random), wanted = canonical(given, in);
  for (const ropewalk_kernel& kernel : vulkan_rotations()) {
    const planned plan(kernel, given);
    std::vector<std::thread> threads;
    std::vector<std::int64_t> different(4, 0);
    for (std::int64_t& one : different)
      threads.emplace_back([&] {
        for (int i = 0; i < 5; ++i) {
          laid_out memory(given, in);
          one += plan.apply(memory.call) != ROPEWALK_OK ||
                 first_difference(given.dtype, memory.read().query, wanted.query) != -1;
        }
      });
    for (std::thread& thread : threads) thread.join();
    EXPECT_EQ(different, std::vector<std::int64_t>(4, 0)) << kernel.name;
  }
}

/// Of four million cosines and sines a few are repaired; the slowest pairs turn by 2^-43 a position.
TEST(VulkanRope, TurnsEqualTheProcessorsOnLongRuns) {
  const watched_device device;
  for (const double base : {10000.0, 1e12}) {
    const rotation_case given{.encoding = {.base = base, .rotary_dim = 128}, .layout = {.head_dim = 128}};
    constexpr std::int64_t tokens = 16384, elements = tokens * 128;
    std::vector<float> in(elements, 1.0f), device_out(elements), processor_out(elements);
    ropewalk_call call{};
    call.struct_size = sizeof call;
    call.query_in = {in.data(), ROPEWALK_F32, 3, {tokens, 1, 128}, {128, 128, 1}};
    call.query_out = call.query_in;
    call.token_end = tokens;
    const auto applied = [&](const ropewalk_kernel& kernel, std::vector<float>& out) {
      call.query_out.data = out.data();
      const planned plan(kernel, given);
      EXPECT_EQ(plan.apply(call), ROPEWALK_OK) << plan.error.text;
    };
    applied(vulkan_kernels()[0], device_out);
    applied(cpu_turns_kernel(), processor_out);
    EXPECT_EQ(std::memcmp(device_out.data(), processor_out.data(), elements * sizeof(float)), 0) << base;
  }
}

TEST(VulkanRope, DeclinesBinary64AndPairsThatAreTooSlow) {
  const watched_device device;
  std::mt19937_64 random(15);
  const rotation_case wide{.dtype = ROPEWALK_F64};
  laid_out memory(wide, random_tensors(wide, random));
  const planned plan(vulkan_kernels()[0], wide);
  EXPECT_EQ(plan.apply(memory.call), ROPEWALK_UNSUPPORTED);
  EXPECT_STREQ(plan.error.field, "query_in.dtype");
  rotation_case slow;
  slow.encoding = {.base = 1e300, .rotary_dim = 8};
  const planned none(vulkan_kernels()[0], slow);
  EXPECT_EQ(none.status, ROPEWALK_UNSUPPORTED);
  EXPECT_STREQ(none.error.field, "inv_freq[1]");
}

}  // namespace
}  // namespace ropewalk::test
