// vulkan-turns and vulkan-table against the integer mirror, bit for bit, under the validation layer.

#include "gpu/kernels.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <random>
#include <thread>

#include "gpu/device_inputs.hpp"
#include "gpu/watched_device.hpp"
#include "kernel/kernels.hpp"
#include "kernel/rotation_case.hpp"
#include "ropewalk/config/rope_scaling.hpp"

namespace ropewalk::test {
namespace {

constexpr pairing pairings[] = {pairing::interleaved, pairing::half_split};

void expect_canonical(const rotation_case& rotation, std::uint64_t seed) {
  std::mt19937_64 random(seed);
  const tensors in = random_tensors(rotation, random);
  const tensors wanted = canonical(rotation, in);
  for (const ropewalk_kernel& kernel : vulkan_rotations()) {
    laid_out memory(rotation, in);
    const planned plan(kernel, rotation);
    ASSERT_EQ(plan.status, ROPEWALK_OK) << plan.error.text;
    ASSERT_EQ(plan.apply(memory.call), ROPEWALK_OK) << plan.error.text;
    const tensors got = memory.read();
    EXPECT_EQ(first_difference(rotation.dtype, got.query, wanted.query), -1) << kernel.name;
    EXPECT_EQ(first_difference(rotation.dtype, got.key, wanted.key), -1) << kernel.name;
    EXPECT_TRUE(memory.guards_are_intact());
  }
}

/// Positions near 0, both ends of the range, and random ones of every magnitude.
std::vector<std::int32_t> spread_positions(std::size_t count, std::uint64_t seed) {
  std::mt19937_64 random(seed);
  std::vector<std::int32_t> positions{0, 1, -1, last_position, first_position, first_position + 1};
  while (positions.size() < count) {
    const auto magnitude = static_cast<std::int32_t>(random() >> (33 + random() % 31));
    positions.push_back(random() % 2 == 0 ? magnitude : -magnitude);
  }
  return positions;
}

/// Heads of 8, 20, 40 and 128 channels are turned by groups, the others by words. In 16 bits, groups of 8 and
/// 20 channels have 8 bytes, those of 40 and 128 have 16. Heads of 3, 20, 21 and 40 have channels that pass
/// through.
TEST(VulkanRope, EqualsTheMirrorInEveryShape) {
  const watched_device device;
  for (const ropewalk_dtype dtype : dtypes)
    for (const pairing in : pairings)
      for (const pairing out : pairings)
        for (const int head_dim : {2, 3, 6, 8, 20, 21, 40, 128}) {
          rotation_case rotation{.dtype = dtype, .batch = 2, .tokens = 11};
          rotation.encoding = {.base = 10000,
                               .rotary_dim = head_dim == 20 || head_dim == 40 ? 16 : head_dim / 2 * 2};
          rotation.layout = {.head_dim = head_dim, .pairing_in = in, .pairing_out = out};
          rotation.positions = spread_positions(22, 5);
          expect_canonical(rotation, static_cast<std::uint64_t>(head_dim));
        }
}

TEST(VulkanRope, TurnsFromTheFirstChannelThatRotates) {
  const watched_device device;
  for (const ropewalk_dtype dtype : dtypes)
    for (const pairing both : pairings)
      for (const bool in_place : {false, true})
        for (const int begin : {1, 4, 5}) {
          rotation_case rotation{.dtype = dtype, .batch = 2, .tokens = 3, .in_place = in_place};
          rotation.encoding = {.base = 10000, .rotary_dim = 16};
          rotation.layout = {.head_dim = 21, .pairing_in = both, .pairing_out = both, .rotary_begin = begin};
          expect_canonical(rotation, static_cast<std::uint64_t>(begin));
        }
}

TEST(VulkanRope, EqualsTheMirrorInEveryArrangementAndDirection) {
  const watched_device device;
  for (const ropewalk_dtype dtype : dtypes)
    for (const arrangement how : all_arrangements)
      for (const std::uint32_t flags :
           {0u, ROPEWALK_BACKWARD, ROPEWALK_UNIT, ROPEWALK_BACKWARD | ROPEWALK_UNIT})
        for (const bool in_place : {false, true}) {
          rotation_case rotation{.dtype = dtype,
                                 .batch = 2,
                                 .tokens = 3,
                                 .query_heads = 3,
                                 .key_heads = 2,
                                 .how = how,
                                 .in_place = in_place,
                                 .flags = flags};
          rotation.positions = {5, -7, 131071, 0, last_position, first_position};
          expect_canonical(rotation, flags);
        }
}

TEST(VulkanRope, TakesAttentionFactorsOfYarnAndLongrope) {
  const watched_device device;
  for (const double factor : {4.0, 40.0}) {
    rotation_case rotation{.tokens = 64, .key_heads = 0};
    rotation.encoding = {.base = 1000000, .rotary_dim = 128};
    rotation.encoding.scaling = yarn{.factor = factor, .original_max_position_embeddings = 32768};
    rotation.layout = {.head_dim = 128};
    rotation.positions = spread_positions(64, 9);
    for (const std::uint32_t flags : {0u, ROPEWALK_UNIT}) {
      rotation.flags = flags;
      expect_canonical(rotation, 3);
    }
  }
}

/// A plan keeps its last rows: calls that differ in flags, formats, heads and positions need other rows, or
/// the same.
TEST(VulkanRope, OnePlanServesOneCallAfterAnother) {
  std::mt19937_64 random(21);
  const auto below = [&](std::uint64_t limit) { return static_cast<int>(random() % limit); };
  for (const vulkan::device_options& options :
       {vulkan::device_options{},
        vulkan::device_options{.forces_staging = true, .storage_buffer_bytes = 16384}}) {
    const watched_device device(options);
    for (int i = 0; i < 12; ++i) {
      rotation_case rotation;
      const int head_dim = i % 2 == 0 ? 4 * (2 + below(16)) : 6 + below(40);
      rotation.encoding = {.base = 10000, .rotary_dim = i % 4 == 0 ? head_dim / 8 * 8 : 2 * (2 + below(2))};
      rotation.encoding.scaling = yarn{.factor = 8, .original_max_position_embeddings = 4096};
      rotation.layout = {
          .head_dim = head_dim, .pairing_in = pairings[below(2)], .pairing_out = pairings[below(2)]};
      for (const ropewalk_kernel& kernel : vulkan_rotations()) {
        const planned plan(kernel, rotation);
        ASSERT_EQ(plan.status, ROPEWALK_OK) << plan.error.text;
        for (int call = 0; call < 6; ++call) {
          rotation.dtype = dtypes[below(3)];
          rotation.flags = static_cast<std::uint32_t>(below(4));
          rotation.query_heads = 1 + below(40);
          rotation.key_heads = below(20);
          if (call % 3 == 0) {
            rotation.tokens = 1 + below(9);
            rotation.positions = spread_positions(9, random());
            rotation.positions.resize(static_cast<std::size_t>(rotation.tokens));
          }
          const tensors in = random_tensors(rotation, random), wanted = canonical(rotation, in);
          laid_out memory(rotation, in);
          ASSERT_EQ(plan.apply(memory.call), ROPEWALK_OK) << plan.error.text;
          const tensors got = memory.read();
          EXPECT_EQ(first_difference(rotation.dtype, got.query, wanted.query), -1) << kernel.name << ' ' << i;
          EXPECT_EQ(first_difference(rotation.dtype, got.key, wanted.key), -1) << kernel.name << ' ' << i;
        }
      }
    }
  }
}

/// Each pair turns by the position on its own axis, as with the CPU kernel.
TEST(VulkanRope, TurnsPairsByTheirAxes) {
  const watched_device device;
  constexpr std::int64_t batch = 2, tokens = 7, heads = 9, axes = 3;
  std::mt19937_64 random(22);
  for (const int channels : {16, 26}) {
    const resolved_encoding resolved({.base = 10000, .rotary_dim = channels}, {.head_dim = channels});
    ropewalk_rotation encoding = resolved.view();
    std::vector<std::int32_t> axis(static_cast<std::size_t>(channels / 2));
    for (std::int32_t& index : axis) index = static_cast<std::int32_t>(random() % axes);
    encoding.axes = axes;
    encoding.axis = axis.data();
    const std::vector<std::int32_t> positions = spread_positions(axes * batch * tokens, 23);
    std::vector<float> in(batch * tokens * heads * static_cast<std::size_t>(channels));
    for (float& value : in) value = from_bits<float>(static_cast<std::uint32_t>(random() & 0xbfffffff));
    ropewalk_rotation_call call = empty_call<rotate>();
    call.query_in = {in.data(),
                     ROPEWALK_F32,
                     4,
                     {batch, tokens, heads, channels},
                     {tokens * heads * channels, heads * channels, channels, 1}};
    call.query_out = call.query_in;
    call.tokens.positions = given_positions(positions.data(), {batch * tokens, tokens, 1}, axes);
    call.tokens.begin = 2;
    call.tokens.end = batch * tokens;
    const auto applied = [&](const ropewalk_kernel& kernel) {
      std::vector<float> out(in.size(), 0.0f);
      call.query_out.data = out.data();
      const planned plan(kernel, encoding);
      EXPECT_EQ(plan.apply(call), ROPEWALK_OK) << plan.error.text;
      return out;
    };
    const std::vector<float> wanted = applied(cpu_table_kernel());
    for (const ropewalk_kernel& kernel : vulkan_rotations()) {
      const std::vector<float> got = applied(kernel);
      EXPECT_EQ(std::memcmp(got.data(), wanted.data(), wanted.size() * sizeof(float)), 0) << kernel.name;
    }
  }
}

/// More heads than the iterations that a driver may allow one loop.
TEST(VulkanRope, EqualsTheMirrorWithManyHeads) {
  const watched_device device;
  rotation_case rotation{.tokens = 1, .query_heads = 70001, .key_heads = 0};
  for (const int head_dim : {8, 6}) {
    rotation.encoding = {.base = 10000, .rotary_dim = head_dim};
    rotation.layout = {.head_dim = head_dim};
    expect_canonical(rotation, 24);
  }
}

/// For every combination of flags, the recipe's output is nearer to the canonical one with these flags than
/// with others.
TEST(VulkanRecipe, TurnsAsItIsToldTo) {
  const watched_device device;
  rotation_case rotation{.tokens = 3, .query_heads = 2, .key_heads = 0};
  rotation.encoding = {.base = 10000, .rotary_dim = 8};
  rotation.encoding.scaling = yarn{.factor = 40, .original_max_position_embeddings = 4096};
  rotation.positions = {1, 2, 3};
  std::mt19937_64 random(25);
  tensors in = random_tensors(rotation, random);
  for (std::uint64_t& bits : in.query) bits = to_bits(1.0f + static_cast<float>(random() % 100));
  const auto distance = [&](const std::vector<std::uint64_t>& a, const std::vector<std::uint64_t>& b) {
    double value = 0;
    for (std::size_t i = 0; i < a.size(); ++i)
      value += std::abs(double{from_bits<float>(static_cast<std::uint32_t>(a[i]))} -
                        from_bits<float>(static_cast<std::uint32_t>(b[i])));
    return value;
  };
  constexpr std::uint32_t all_flags[] = {0, ROPEWALK_BACKWARD, ROPEWALK_UNIT,
                                         ROPEWALK_BACKWARD | ROPEWALK_UNIT};
  for (const std::uint32_t flags : all_flags) {
    rotation.flags = flags;
    laid_out memory(rotation, in);
    const planned plan(vulkan_recipe(), rotation);
    ASSERT_EQ(plan.apply(memory.call), ROPEWALK_OK) << plan.error.text;
    const std::vector<std::uint64_t> got = memory.read().query;
    const double to_own = distance(got, canonical(rotation, in).query);
    for (const std::uint32_t other : all_flags)
      if (other != flags) {
        rotation.flags = other;
        EXPECT_LT(to_own, distance(got, canonical(rotation, in).query)) << flags << ' ' << other;
      }
  }
}

TEST(VulkanRope, NothingIsStillNothing) {
  const watched_device device;
  for (const auto& [tokens, heads] : {std::pair{0, 2}, {3, 0}}) {
    rotation_case rotation{.tokens = tokens, .query_heads = heads, .key_heads = heads};
    expect_canonical(rotation, 1);
  }
}

/// Staging, buffers that hold only a few tokens, and few workgroups on the first axis.
TEST(VulkanRope, LimitsOfADeviceChangeNoBit) {
  for (const vulkan::device_options& options :
       {vulkan::device_options{.forces_staging = true}, vulkan::device_options{.storage_buffer_bytes = 4096},
        vulkan::device_options{.workgroups = 3}}) {
    const watched_device device(options);
    for (const ropewalk_dtype dtype : dtypes)
      for (const int head_dim : {64, 21}) {
        rotation_case rotation{.dtype = dtype, .tokens = 200, .query_heads = 4};
        rotation.encoding = {.base = 10000, .rotary_dim = head_dim / 2 * 2};
        rotation.layout = {.head_dim = head_dim};
        expect_canonical(rotation, 12);
      }
  }
}

TEST(VulkanRope, AnswersOfManyThreadsAreThose) {
  const watched_device device;
  const rotation_case rotation{.tokens = 50};
  std::mt19937_64 random(7);
  const tensors in = random_tensors(rotation, random), wanted = canonical(rotation, in);
  for (const ropewalk_kernel& kernel : vulkan_rotations()) {
    const planned plan(kernel, rotation);
    std::vector<std::thread> threads;
    std::vector<std::int64_t> different(4, 0);
    for (std::int64_t& index : different)
      threads.emplace_back([&] {
        for (int i = 0; i < 5; ++i) {
          laid_out memory(rotation, in);
          index += plan.apply(memory.call) != ROPEWALK_OK ||
                   first_difference(rotation.dtype, memory.read().query, wanted.query) != -1;
        }
      });
    for (std::thread& thread : threads) thread.join();
    EXPECT_EQ(different, std::vector<std::int64_t>(4, 0)) << kernel.name;
  }
}

/// Of four million cosines and sines, a few are repaired; the slowest pair turns by about 2^-42 of a circle
/// per position.
TEST(VulkanRope, TurnsEqualTheProcessorsOnLongRuns) {
  const watched_device device;
  for (const double base : {10000.0, 1e12}) {
    const rotation_case rotation{.encoding = {.base = base, .rotary_dim = 128}, .layout = {.head_dim = 128}};
    constexpr std::int64_t tokens = 16384, elements = tokens * 128;
    std::vector<float> in(elements, 1.0f), device_out(elements), processor_out(elements);
    ropewalk_rotation_call call = empty_call<rotate>();
    call.query_in = {in.data(), ROPEWALK_F32, 3, {tokens, 1, 128}, {128, 128, 1}};
    call.query_out = call.query_in;
    call.tokens.end = tokens;
    const auto applied = [&](const ropewalk_kernel& kernel, std::vector<float>& out) {
      call.query_out.data = out.data();
      const planned plan(kernel, rotation);
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
  for (const auto& [base, is_served] : {std::pair{0x1p45, true}, {0x1p47, false}, {0x1p200, false}}) {
    slow.encoding = {.base = base * base, .rotary_dim = 4};  // the second pair's inv_freq is 1 / base
    slow.layout = {.head_dim = 4};
    const planned planned(vulkan_kernels()[0], slow);
    EXPECT_EQ(planned.status, is_served ? ROPEWALK_OK : ROPEWALK_UNSUPPORTED) << base;
    EXPECT_STREQ(planned.error.field, is_served ? "" : "inv_freq[1]");
  }
}

}  // namespace
}  // namespace ropewalk::test
