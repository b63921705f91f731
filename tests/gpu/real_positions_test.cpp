// Positions in binary64: vulkan-turns and vulkan-table against the definition, bit for bit.

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <random>
#include <string>
#include <vector>

#include "gpu/device_inputs.hpp"
#include "gpu/kernel_device.hpp"
#include "gpu/kernels.hpp"
#include "gpu/mpfr_words.hpp"
#include "gpu/real_position_draws.hpp"
#include "gpu/turn_rows.hpp"
#include "gpu/watched_device.hpp"
#include "kernel/addition_case.hpp"
#include "kernel/rotation_case.hpp"
#include "ropewalk/kernel/kernel_of.hpp"
#include "ropewalk/kernel/rotation_plan.hpp"

namespace ropewalk::test {
namespace {

/// A rotation whose pairs turn by real positions on several axes.
struct real_case {
  rotation_case shape;  // without positions
  int axes = 1;
  std::vector<std::int32_t> axis{};  // [pairs]
  std::vector<double> positions{};   // [axes][batch][tokens]

  std::size_t places() const { return static_cast<std::size_t>(shape.batch * shape.tokens); }
  ropewalk_positions given() const {
    return {ROPEWALK_POSITIONS_F64, axes, positions.data(), {shape.batch * shape.tokens, shape.tokens, 1}};
  }
};

real_case spread_over_axes(rotation_case shape, int axes, std::mt19937_64& random) {
  real_case test_case{.shape = std::move(shape), .axes = axes};
  for (int pair = 0; pair < test_case.shape.encoding.rotary_dim / 2; ++pair)
    test_case.axis.push_back(pair < axes ? pair % axes
                                         : static_cast<std::int32_t>(random() % static_cast<unsigned>(axes)));
  test_case.positions.resize(static_cast<std::size_t>(axes) * test_case.places());
  for (double& position : test_case.positions) position = random_real(random);
  return test_case;
}

/// The canonical bits of one tensor, from rows of the configuration itself.
template <floating_format Float>
std::vector<std::uint64_t> canonical(const real_case& test_case, const std::vector<std::uint64_t>& in,
                                     std::int64_t heads) {
  using wide = rotation_format<Float>;
  const rotation_case& shape = test_case.shape;
  const rope_rows rows(shape.encoding);
  std::vector<std::uint64_t> out = in;
  for (std::size_t token = 0; token < test_case.places(); ++token)
    for (int pair = 0; pair < rows.pairs(); ++pair) {
      const auto axis = static_cast<std::size_t>(test_case.axis[static_cast<std::size_t>(pair)]);
      const cos_sin_bits<wide> bits = rows.entry<wide>(
          pair, test_case.positions[axis * test_case.places() + token], (shape.flags & ROPEWALK_UNIT) != 0);
      bits_pair<wide> entry{bits.cos, bits.sin};
      if ((shape.flags & ROPEWALK_BACKWARD) != 0) entry = backward<wide>(entry);
      const channel_pair from = channels_of(pair, shape.encoding.rotary_dim, shape.layout.pairing_in);
      const channel_pair to = channels_of(pair, shape.encoding.rotary_dim, shape.layout.pairing_out);
      for (std::int64_t head = 0; head < heads; ++head) {
        const auto channel = [&](int c) {
          return (token * static_cast<std::size_t>(heads) + static_cast<std::size_t>(head)) *
                     static_cast<std::size_t>(shape.layout.head_dim) +
                 static_cast<std::size_t>(shape.layout.rotary_begin + c);
        };
        const auto y = rotate_pair<Float>({static_cast<bits_of<Float>>(in[channel(from.first)]),
                                           static_cast<bits_of<Float>>(in[channel(from.second)])},
                                          entry);
        out[channel(to.first)] = y.first;
        out[channel(to.second)] = y.second;
      }
    }
  return out;
}

tensors canonical(const real_case& test_case, const tensors& in) {
  return with_format(test_case.shape.dtype, [&]<class Float>() {
    return tensors{canonical<Float>(test_case, in.query, test_case.shape.query_heads),
                   canonical<Float>(test_case, in.key, test_case.shape.key_heads)};
  });
}

/// Expects the canonical bits from both rotations, and returns the number of entries of their rows.
std::size_t expect_canonical(const real_case& test_case, std::mt19937_64& random) {
  const tensors in = random_tensors(test_case.shape, random), wanted = canonical(test_case, in);
  const resolved_encoding resolved(test_case.shape.encoding, test_case.shape.layout);
  ropewalk_rotation encoding = resolved.view();
  encoding.axes = test_case.axes;
  encoding.axis = test_case.axis.data();
  for (const ropewalk_kernel& kernel : vulkan_rotations()) {
    laid_out memory(test_case.shape, in);
    memory.call.tokens.positions = test_case.given();
    const planned plan(kernel, encoding);
    EXPECT_EQ(plan.status, ROPEWALK_OK) << plan.error.text;
    EXPECT_EQ(plan.apply(memory.call), ROPEWALK_OK) << plan.error.text;
    const tensors got = memory.read();
    EXPECT_EQ(first_difference(test_case.shape.dtype, got.query, wanted.query), -1) << kernel.name;
    EXPECT_EQ(first_difference(test_case.shape.dtype, got.key, wanted.key), -1) << kernel.name;
    EXPECT_TRUE(memory.guards_are_intact());
  }
  return 2 * test_case.axis.size() * test_case.places();
}

TEST(VulkanRealPositions, EqualTheDefinitionOnOneToFourAxes) {
  const watched_device device;
  std::mt19937_64 random(41);
  std::size_t entries = 0;
  for (int axes = 1; axes <= 4; ++axes)
    for (const ropewalk_dtype dtype : dtypes)
      for (const pairing both : {pairing::interleaved, pairing::half_split})
        for (const int head_dim : {10, 21, 64}) {
          rotation_case shape{.dtype = dtype, .batch = 2, .tokens = 9};
          shape.encoding = {.base = head_dim == 64 ? 10000.0 : 100.0, .rotary_dim = head_dim / 2 * 2};
          shape.layout = {.head_dim = head_dim, .pairing_in = both, .pairing_out = both};
          shape.flags = head_dim == 21 ? ROPEWALK_BACKWARD : 0;
          entries += expect_canonical(spread_over_axes(shape, axes, random), random);
        }
  RecordProperty("entries", std::to_string(entries));
}

TEST(VulkanRealPositions, TakeAttentionFactorsAndEveryFlag) {
  const watched_device device;
  std::mt19937_64 random(42);
  for (const std::uint32_t flags :
       {0u, ROPEWALK_BACKWARD, ROPEWALK_UNIT, ROPEWALK_BACKWARD | ROPEWALK_UNIT}) {
    rotation_case shape{.tokens = 24, .key_heads = 0};
    shape.encoding = {.base = 1000000, .rotary_dim = 64};
    shape.encoding.scaling = yarn{.factor = 40, .original_max_position_embeddings = 32768};
    shape.layout = {.head_dim = 70, .rotary_begin = 3};
    shape.flags = flags;
    expect_canonical(spread_over_axes(shape, 2, random), random);
  }
}

/// Staging, buffers that hold only a few tokens, and few workgroups on the first axis. Sines that are
/// subnormal are left to the host.
TEST(VulkanRealPositions, LimitsOfADeviceChangeNoBit) {
  std::mt19937_64 random(43);
  for (const vulkan::device_options& options :
       {vulkan::device_options{.forces_staging = true}, vulkan::device_options{.storage_buffer_bytes = 4096},
        vulkan::device_options{.workgroups = 3}}) {
    const watched_device device(options);
    for (const ropewalk_dtype dtype : dtypes) {
      rotation_case shape{.dtype = dtype, .tokens = 90, .query_heads = 4};
      shape.encoding = {.base = 10000, .rotary_dim = 64};
      shape.layout = {.head_dim = 64};
      expect_canonical(spread_over_axes(shape, 3, random), random);
    }
  }
}

/// From the smallest binary64 up, through every sine that is zero, subnormal or just normal.
TEST(VulkanRealPositions, AreRightDownToTheSmallest) {
  const watched_device device;
  std::mt19937_64 random(44);
  rotation_case shape{.dtype = ROPEWALK_F32, .query_heads = 1, .key_heads = 0};
  shape.encoding = {.base = 10000, .rotary_dim = 6};
  shape.layout = {.head_dim = 6};
  std::vector<double> positions{0, -0.0, std::numeric_limits<double>::denorm_min(),
                                -std::numeric_limits<double>::denorm_min(), 0x1.fffffffffffffp-1023};
  for (int exponent = -1074; exponent < -20; exponent += exponent < -160 || exponent > -110 ? 17 : 1)
    for (int i = 0; i < 4; ++i)
      positions.push_back(std::ldexp(1 + static_cast<double>(random() >> 12) * 0x1p-52, exponent) *
                          (i % 2 == 0 ? 1 : -1));
  shape.tokens = static_cast<std::int64_t>(positions.size());
  const real_case test_case{.shape = shape, .axes = 1, .axis = {0, 0, 0}, .positions = std::move(positions)};
  expect_canonical(test_case, random);
}

/// Coordinates of images and times are decided on the device; the host is asked for a subnormal sine.
TEST(VulkanRealPositions, OrdinaryOnesAreDecidedOnTheDevice) {
  const watched_device device;
  const resolved_encoding resolved({.base = 10000, .rotary_dim = 64}, {.head_dim = 64});
  const rotation_plan plan(resolved.view());
  const vulkan::turn_source source(resolved.view(), plan);
  const auto on = vulkan::shared_device();
  const auto host_decides = [&](const std::vector<double>& positions) {
    vulkan::row_positions places{.is_real = true};
    for (const double position : positions) {
      const std::uint64_t bits = to_bits(position);
      places.words.insert(places.words.end(),
                          {static_cast<std::uint32_t>(bits), static_cast<std::uint32_t>(bits >> 32)});
    }
    vulkan::turn_source::rows rows(*on, source, places, positions.size(), false);
    vulkan::commands work(on->on());
    rows.record(work);
    work.run();
    return rows.decide_rest();
  };
  std::vector<double> ordinary;
  for (int i = 0; i < 2000; ++i) ordinary.insert(ordinary.end(), {(i + 0.5) / 2000, i * 0.04, i * -1e-7});
  EXPECT_FALSE(host_decides(ordinary));
  EXPECT_TRUE(host_decides({0x1p-127}));
}

/// The bits of a call on int32 positions are those of a call on the same numbers in binary64.
TEST(VulkanRealPositions, WholeOnesHaveTheBitsOfWholePositions) {
  const watched_device device;
  std::mt19937_64 random(45);
  std::vector<std::int32_t> whole{0, 1, -1, last_position, first_position + 1, 65536, -131072};
  while (whole.size() < 300) {
    const auto magnitude = static_cast<std::int32_t>(random() >> (33 + random() % 31));
    whole.push_back(random() % 2 == 0 ? magnitude : -magnitude);
  }
  const std::vector<double> real(whole.begin(), whole.end());
  for (const ropewalk_dtype dtype : dtypes) {
    rotation_case shape{.dtype = dtype, .tokens = static_cast<std::int64_t>(whole.size()), .key_heads = 0};
    shape.encoding = {.base = 500000, .rotary_dim = 128};
    shape.layout = {.head_dim = 128};
    const tensors in = random_tensors(shape, random);
    for (const ropewalk_kernel& kernel : vulkan_rotations()) {
      const planned plan(kernel, shape);
      laid_out by_whole(shape, in), by_real(shape, in);
      by_whole.call.tokens.positions = given_positions(whole.data());
      by_real.call.tokens.positions = {ROPEWALK_POSITIONS_F64, 1, real.data(), {0, 0, 1}};
      ASSERT_EQ(plan.apply(by_whole.call), ROPEWALK_OK) << plan.error.text;
      ASSERT_EQ(plan.apply(by_real.call), ROPEWALK_OK) << plan.error.text;
      EXPECT_EQ(by_whole.read(), by_real.read()) << kernel.name;
    }
  }
}

/// A plan keeps its last rows: positions whose words agree, but not their kind, need others, and so do
/// subnormals that compare equal to zero where they are flushed.
TEST(VulkanRealPositions, OnePlanServesOneCallAfterAnother) {
  const watched_device device;
  std::mt19937_64 random(46);
  const rotation_case shape{.tokens = 1, .query_heads = 1, .key_heads = 0};
  rotation_case by_whole{.tokens = 2, .query_heads = 1, .key_heads = 0};
  by_whole.positions = {0, 0x40080000};  // the words of 3.0
  const tensors in = random_tensors(shape, random), in_of_whole = random_tensors(by_whole, random);
  for (const ropewalk_kernel& kernel : vulkan_rotations()) {
    const planned plan(kernel, shape);
    for (int round = 0; round < 2; ++round) {
      laid_out memory(by_whole, in_of_whole);
      ASSERT_EQ(plan.apply(memory.call), ROPEWALK_OK) << plan.error.text;
      EXPECT_EQ(first_difference(shape.dtype, memory.read().query, canonical(by_whole, in_of_whole).query),
                -1)
          << kernel.name;
      for (const double position : {3.0, 0.0, -0.0, 0x1p-1030, 0x1p-1030, 2.5}) {
        const real_case test_case{.shape = shape, .axes = 1, .axis = {0, 0, 0, 0}, .positions = {position}};
        laid_out of_real(shape, in);
        of_real.call.tokens.positions = test_case.given();
        ASSERT_EQ(plan.apply(of_real.call), ROPEWALK_OK) << plan.error.text;
        EXPECT_EQ(first_difference(shape.dtype, of_real.read().query, canonical(test_case, in).query), -1)
            << kernel.name << ' ' << position;
      }
    }
  }
}

TEST(VulkanRealPositions, AreRefusedBeyondTheirDomain) {
  const watched_device device;
  std::mt19937_64 random(49);
  const rotation_case shape{.tokens = 1};
  const tensors in = random_tensors(shape, random);
  const resolved_encoding resolved(shape.encoding, shape.layout);
  ropewalk_rotation without = resolved.view();
  without.turns_real = nullptr;
  constexpr double infinity = std::numeric_limits<double>::infinity();
  const auto answered = [&](const ropewalk_kernel& kernel, const ropewalk_rotation& encoding, double position,
                            std::int32_t status) {
    laid_out memory(shape, in);
    memory.call.tokens.positions = {ROPEWALK_POSITIONS_F64, 1, &position, {0, 0, 1}};
    const tensors before = memory.read();
    const planned plan(kernel, encoding);
    EXPECT_EQ(plan.apply(memory.call), status) << position << ' ' << plan.error.text;
    EXPECT_EQ(std::string(plan.error.field).substr(0, 16), "tokens.positions");
    EXPECT_EQ(memory.read(), before);
  };
  for (const ropewalk_kernel& kernel : vulkan_rotations()) {
    for (const double position : {infinity, -infinity, std::numeric_limits<double>::quiet_NaN()})
      answered(kernel, resolved.view(), position, ROPEWALK_INVALID_ARGUMENT);
    for (const double position : {end_of_positions, -end_of_positions, 1e300})
      answered(kernel, resolved.view(), position, ROPEWALK_UNDECIDED);
    answered(kernel, without, 0.5, ROPEWALK_UNSUPPORTED);
    EXPECT_EQ(kernel.limits->position_kinds, all_position_kinds) << kernel.name;
  }
  answered(vulkan_recipe(), resolved.view(), 0.5, ROPEWALK_UNSUPPORTED);
}

}  // namespace
}  // namespace ropewalk::test
