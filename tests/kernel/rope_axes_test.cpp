// Kernels on more than one axis through the C interface: the mirror's bits, with each pair at the position on
// its own axis.

#include <gtest/gtest.h>

#include <cstdint>
#include <random>
#include <string>
#include <vector>

#include "kernel/kernels.hpp"
#include "kernel/rotation_case.hpp"
#include "ropewalk/kernel/promise.hpp"
#include "ropewalk/kernel/resolved_axes.hpp"

namespace ropewalk::test {
namespace {

struct axes_shape {
  rope_axes axes;
  rope encoding;
};

const std::vector<axes_shape> shapes{
    {mrope(16, 24, 24), {.base = 1000000, .rotary_dim = 128}},
    {mrope(4, 6, 6),
     {.base = 1000000,
      .rotary_dim = 32,
      .scaling = yarn{.factor = 4, .original_max_position_embeddings = 32768}}},
    {mrope_interleaved(24, 20, 20), {.base = 5000000, .rotary_dim = 128}},
    {pixtral(32), {.rotary_dim = 64}},
    {qwen_vision(40), {.rotary_dim = 80}}};

/// positions[axis][token]: far apart, of both signs.
std::vector<std::int32_t> random_positions(int axes, std::int64_t tokens, std::mt19937_64& random) {
  std::vector<std::int32_t> positions(static_cast<std::size_t>(axes * tokens));
  for (std::int32_t& position : positions)
    position = static_cast<std::int32_t>(random()) >> (random() % 2 == 0 ? 0 : 20);
  return positions;
}

/// The expected bits: the canonical rotation of each pair at the position on its own axis and with its
/// frequency.
template <floating_format Float>
std::vector<std::uint64_t> canonical_of(const rotation_case& rotation, const rope_axes& axes,
                                        const std::vector<std::int32_t>& positions,
                                        const std::vector<std::uint64_t>& in) {
  using wide = rotation_format<Float>;
  const rope_rows rows(placed_rope{rotation.encoding, axes});
  std::vector<std::uint64_t> out = in;
  for (std::int64_t token = 0; token < rotation.tokens; ++token)
    for (int pair = 0; pair < pair_count(rotation.encoding); ++pair) {
      const pair_axis pair_axis = axis_of(pair, axes, rotation.encoding);
      const std::int32_t position =
          positions[static_cast<std::size_t>(pair_axis.axis * rotation.tokens + token)];
      const auto entry = rows.entry<wide>(pair, position, false);
      for (std::int64_t head = token * rotation.query_heads; head < (token + 1) * rotation.query_heads;
           ++head) {
        const auto at = [&](int channel) {
          return static_cast<std::size_t>(head * rotation.layout.head_dim + channel);
        };
        const channel_pair pair_at =
            channels_of(pair, rotation.encoding.rotary_dim, rotation.layout.pairing_in);
        const auto y = rotate_pair<Float>({static_cast<bits_of<Float>>(in[at(pair_at.first)]),
                                           static_cast<bits_of<Float>>(in[at(pair_at.second)])},
                                          {entry.cos, entry.sin});
        out[at(pair_at.first)] = y.first;
        out[at(pair_at.second)] = y.second;
      }
    }
  return out;
}

rotation_case case_of(const axes_shape& shape, ropewalk_dtype dtype) {
  return {.encoding = shape.encoding,
          .layout = {.head_dim = shape.encoding.rotary_dim + 8},
          .dtype = dtype,
          .tokens = 5,
          .query_heads = 2,
          .key_heads = 0};
}

std::vector<std::uint64_t> applied(const ropewalk_kernel& kernel, const axes_shape& shape,
                                   const rotation_case& rotation, const tensors& in,
                                   const std::vector<std::int32_t>& positions) {
  laid_out memory(rotation, in);
  memory.call.tokens.positions =
      given_positions(positions.data(), {rotation.tokens, 0, 1}, axis_count(shape.axes));
  const planned plan(kernel, resolved_axes(shape.encoding, shape.axes, rotation.layout).view());
  EXPECT_EQ(plan.status, ROPEWALK_OK) << plan.error.field << ' ' << plan.error.text;
  EXPECT_EQ(plan.apply(memory.call), ROPEWALK_OK) << plan.error.field << ' ' << plan.error.text;
  EXPECT_TRUE(memory.guards_are_intact());
  return memory.read().query;
}

TEST(RopeAxesKernel, CanonicalKernelsTurnEachPairOnItsOwnAxis) {
  std::mt19937_64 random(9);
  int served = 0;
  for (const ropewalk_kernel& kernel : all_kernels())
    for (const ropewalk_dtype dtype : {ROPEWALK_F32, ROPEWALK_BF16}) {
      if (promise_of(kernel) != promise::canonical) continue;
      for (const axes_shape& shape : shapes) {
        const rotation_case rotation = case_of(shape, dtype);
        const tensors in = random_tensors(rotation, random);
        const auto positions = random_positions(axis_count(shape.axes), rotation.tokens, random);
        const auto wanted = with_format(dtype, [&]<class Float>() {
          return canonical_of<Float>(rotation, shape.axes, positions, in.query);
        });
        const auto got = applied(kernel, shape, rotation, in, positions);
        EXPECT_EQ(first_difference(dtype, got, wanted), -1) << kernel.name << ' ' << name_of(shape.axes);
        ++served;
      }
    }
  EXPECT_GE(served, 2 * 2 * 5);  // two canonical kernels at least, two formats, five shapes
}

/// Every canonical kernel turns random tensors at these positions as the mirror does.
void expect_canonical(const axes_shape& shape, const rotation_case& rotation,
                      const std::vector<std::int32_t>& positions) {
  std::mt19937_64 random(11);
  const tensors in = random_tensors(rotation, random);
  const auto wanted = canonical_of<float>(rotation, shape.axes, positions, in.query);
  for (const ropewalk_kernel& kernel : all_kernels()) {
    if (promise_of(kernel) != promise::canonical) continue;
    EXPECT_EQ(first_difference(ROPEWALK_F32, applied(kernel, shape, rotation, in, positions), wanted), -1)
        << kernel.name;
  }
}

/// Tokens of text have one position on all axes, those of a picture repeat some: rows wait for each other.
TEST(RopeAxesKernel, TextBetweenPicturesKeepsRowsOfItsOwn) {
  const axes_shape& shape = shapes[1];
  rotation_case rotation = case_of(shape, ROPEWALK_F32);
  rotation.tokens = 19;
  std::vector<std::int32_t> positions;
  for (int axis = 0; axis < axis_count(shape.axes); ++axis)
    for (std::int32_t token = 0; token < rotation.tokens; ++token)
      positions.push_back(token % 7 < 5 ? token / 2 * 3 : token + axis * (token % 2));
  expect_canonical(shape, rotation, positions);
}

/// Rows of axes that are known already are put together in rooms where rows might have been computed ahead.
TEST(RopeAxesKernel, TextGoesOnAfterAPictureThatWasThereBefore) {
  constexpr int patches_first = 8, patches_between = 8;
  for (const axes_shape& shape : shapes) {
    const int axes = axis_count(shape.axes);
    rotation_case rotation = case_of(shape, ROPEWALK_F32);
    rotation.tokens = patches_first + 1 + patches_between + 1;
    const std::int32_t last = 5 + axes - 1;  // of a patch's positions: 5, 6, ...
    std::vector<std::int32_t> positions;
    for (int axis = 0; axis < axes; ++axis)
      for (std::int32_t token = 0; token < rotation.tokens; ++token) {
        const bool is_text = token == patches_first || token == rotation.tokens - 1;
        positions.push_back(is_text ? last + 1 + (token != patches_first) : 5 + axis);
      }
    expect_canonical(shape, rotation, positions);
  }
}

/// A pair is turned as if every axis had the positions of its own.
TEST(RopeAxesKernel, RecipesTurnEachPairOnItsOwnAxis) {
  std::mt19937_64 random(10);
  for (const ropewalk_kernel& kernel : recipe_kernels())
    for (const axes_shape& shape : shapes) {
      const rotation_case rotation = case_of(shape, ROPEWALK_F32);
      const tensors in = random_tensors(rotation, random);
      const auto positions = random_positions(axis_count(shape.axes), rotation.tokens, random);
      auto wanted = in.query;
      for (int axis = 0; axis < axis_count(shape.axes); ++axis) {
        auto alike = positions;
        for (std::size_t i = 0; i < alike.size(); ++i)
          alike[i] = positions[static_cast<std::size_t>(axis * rotation.tokens) +
                               i % static_cast<std::size_t>(rotation.tokens)];
        const auto turned = applied(kernel, shape, rotation, in, alike);
        for (std::size_t i = 0; i < wanted.size(); ++i) {
          const int channel = static_cast<int>(i) % rotation.layout.head_dim;
          const int pair = channel % pair_count(rotation.encoding);  // half-split
          if (channel < rotation.encoding.rotary_dim &&
              axis_of(pair, shape.axes, rotation.encoding).axis == axis)
            wanted[i] = turned[i];
        }
      }
      EXPECT_EQ(first_difference(ROPEWALK_F32, applied(kernel, shape, rotation, in, positions), wanted), -1)
          << kernel.name << ' ' << name_of(shape.axes);
    }
}

/// Giving every axis the first one's positions changes the result, so the test above can fail.
TEST(RopeAxesKernel, RowsOfOtherAxesAreRead) {
  std::mt19937_64 random(9);
  for (const axes_shape& shape : shapes) {
    const rotation_case rotation = case_of(shape, ROPEWALK_F32);
    const tensors in = random_tensors(rotation, random);
    const auto positions = random_positions(axis_count(shape.axes), rotation.tokens, random);
    auto first_alone = positions;
    for (std::size_t i = 5; i < first_alone.size(); ++i) first_alone[i] = first_alone[i - 5];
    const ropewalk_kernel kernel = cpu_turns_kernel();
    EXPECT_NE(applied(kernel, shape, rotation, in, positions),
              applied(kernel, shape, rotation, in, first_alone));
  }
}

TEST(RopeAxesKernel, OneAxisResolvesAsBefore) {
  const rope config{.rotary_dim = 16};
  const head_layout layout{.head_dim = 16};
  const resolved_axes several(config, {}, layout);
  const resolved_encoding encoding(config, layout);
  EXPECT_EQ(several.view().axes, 1);
  EXPECT_EQ(several.view().axis, nullptr);
  for (int pair = 0; pair < 8; ++pair) {
    EXPECT_EQ(several.view().inv_freq[pair], encoding.view().inv_freq[pair]);
    for (int word = 0; word < 4; ++word)
      EXPECT_EQ(several.view().turns[4 * pair + word], encoding.view().turns[4 * pair + word]);
  }
}

}  // namespace
}  // namespace ropewalk::test
