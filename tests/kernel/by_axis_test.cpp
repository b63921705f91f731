// Pairs that are half-split by axis: each axis's channels turn as a half-split head of their own, in every
// kernel.

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <limits>
#include <random>
#include <stdexcept>
#include <utility>
#include <vector>

#include "kernel/kernels.hpp"
#include "kernel/rotation_case.hpp"
#include "ropewalk/encoding/rope_axes.hpp"
#include "ropewalk/kernel/pairing_number.hpp"
#include "ropewalk/kernel/promise.hpp"
#include "ropewalk/kernel/resolved_axes.hpp"
#include "ropewalk/kernel/resolved_sinusoidal.hpp"

namespace ropewalk::test {
namespace {

constexpr pairing by_axis = pairing::half_split_by_axis, interleaved = pairing::interleaved,
                  half_split = pairing::half_split;

struct turned_form {
  rope_axes axes;
  rope encoding;
};

/// Three axes, one of which has no pair; two alike; one, of one pair.
const std::vector<turned_form> turned_forms{{own_axes(5, 0, 3), {.base = 10000, .rotary_dim = 16}},
                                            {own_axes(8, 16, 8), {.base = 256, .rotary_dim = 64}},
                                            {own_axes(16, 16), {.base = 100, .rotary_dim = 64}},
                                            {own_axes(1, 3), {.base = 100, .rotary_dim = 8}}};

/// Positions of every axis, one after another, in one of their kinds.
struct axis_positions {
  std::vector<std::int32_t> whole{};
  std::vector<double> real{};

  /// Those of one axis, or of all from it on.
  ropewalk_positions from_axis(int axis, std::int64_t tokens, std::int32_t axes) const {
    const auto at = static_cast<std::size_t>(axis * tokens);
    if (!whole.empty()) return given_positions(whole.data() + at, {tokens, 0, 1}, axes);
    if (real.empty()) return {};
    return {ROPEWALK_POSITIONS_F64, axes, real.data() + at, {tokens, 0, 1}};
  }
};

bool serves(const ropewalk_kernel& kernel, ropewalk_dtype dtype, bool is_real) {
  if (kernel.limits == nullptr) return !is_real;
  return (kernel.limits->dtypes == 0 || (kernel.limits->dtypes >> dtype & 1) != 0) &&
         (!is_real || (kernel.limits->position_kinds >> ROPEWALK_POSITIONS_F64 & 1) != 0);
}

tensors applied(const ropewalk_kernel& kernel, const resolved_encoding& encoding,
                const rotation_case& rotation, const tensors& in, const ropewalk_positions& positions) {
  laid_out memory(rotation, in);
  memory.call.tokens.positions = positions;
  const planned plan(kernel, encoding.view());
  EXPECT_EQ(plan.status, ROPEWALK_OK) << kernel.name << ' ' << plan.error.text;
  EXPECT_EQ(plan.apply(memory.call), ROPEWALK_OK) << kernel.name << ' ' << plan.error.text;
  EXPECT_TRUE(memory.guards_are_intact());
  return memory.read();
}

/// Channels from `first` on of every head, or, with `to`, those of the heads replaced.
std::vector<std::uint64_t> channels_from(const std::vector<std::uint64_t>& heads, int head_dim, int first,
                                         int count) {
  std::vector<std::uint64_t> channels;
  for (std::size_t head = 0; head < heads.size(); head += static_cast<std::size_t>(head_dim))
    for (int channel = first; channel < first + count; ++channel)
      channels.push_back(heads[head + static_cast<std::size_t>(channel)]);
  return channels;
}

void put_channels(std::vector<std::uint64_t>& heads, int head_dim, int first, int count,
                  const std::vector<std::uint64_t>& part) {
  for (std::size_t i = 0; i < part.size(); ++i)
    heads[i / static_cast<std::size_t>(count) * static_cast<std::size_t>(head_dim) +
          static_cast<std::size_t>(first) + i % static_cast<std::size_t>(count)] = part[i];
}

pairing halves_alone(pairing layout) { return layout == by_axis ? half_split : layout; }

/// The channels of each axis turned by themselves, as heads of a text encoding with the axis's positions.
tensors slice_by_slice(const ropewalk_kernel& kernel, const turned_form& form, const rotation_case& rotation,
                       const tensors& in, const axis_positions& positions) {
  tensors out = in;
  int begin = rotation.layout.rotary_begin;
  for (int axis = 0; axis < form.axes.count; ++axis) {
    const int count = 2 * pairs_of_axis(axis, form.axes, form.encoding), head_dim = rotation.layout.head_dim;
    if (count == 0) continue;
    rotation_case slice = rotation;
    slice.encoding = {.base = form.encoding.base, .rotary_dim = count};
    slice.layout = {.head_dim = count,
                    .pairing_in = halves_alone(rotation.layout.pairing_in),
                    .pairing_out = halves_alone(rotation.layout.pairing_out)};
    const tensors part{channels_from(in.query, head_dim, begin, count),
                       channels_from(in.key, head_dim, begin, count)};
    const tensors turned = applied(kernel, resolved_encoding(slice.encoding, slice.layout), slice, part,
                                   positions.from_axis(axis, rotation.tokens, 1));
    put_channels(out.query, head_dim, begin, count, turned.query);
    put_channels(out.key, head_dim, begin, count, turned.key);
    begin += count;
  }
  return out;
}

/// Every kernel that serves the case turns it so; returns their number.
int expect_slices(const turned_form& form, const rotation_case& rotation, const axis_positions& positions,
                  std::mt19937_64& random) {
  int served = 0;
  const tensors in = random_tensors(rotation, random);
  const resolved_axes encoding(form.encoding, form.axes, rotation.layout);
  const auto expect_of = [&](const ropewalk_kernel& kernel) {
    if (!serves(kernel, rotation.dtype, !positions.real.empty())) return;
    const tensors got =
        applied(kernel, encoding, rotation, in, positions.from_axis(0, rotation.tokens, form.axes.count));
    const tensors wanted = slice_by_slice(kernel, form, rotation, in, positions);
    EXPECT_EQ(first_difference(rotation.dtype, got.query, wanted.query), -1) << kernel.name;
    EXPECT_EQ(first_difference(rotation.dtype, got.key, wanted.key), -1) << kernel.name;
    ++served;
  };
  for (const ropewalk_kernel& kernel : all_kernels()) expect_of(kernel);
  for (const ropewalk_kernel& kernel : recipe_kernels()) expect_of(kernel);
  return served;
}

rotation_case case_of(const turned_form& form, ropewalk_dtype dtype, int index) {
  return {.encoding = form.encoding,
          .layout = {.head_dim = form.encoding.rotary_dim + index % 4,
                     .pairing_in = index % 3 == 1 ? interleaved : by_axis,
                     .pairing_out = index % 3 == 2 ? interleaved : by_axis,
                     .rotary_begin = index % 4 / 2},
          .dtype = dtype,
          .tokens = 3,
          .query_heads = 2,
          .key_heads = index % 2,
          .how = all_arrangements[index % 5],
          .in_place = index % 7 < 3,
          .flags = static_cast<std::uint32_t>(index % 4)};
}

TEST(ByAxis, TurnsEachAxisAsAHeadOfItsOwn) {
  std::mt19937_64 random(21);
  int served = 0;
  for (const turned_form& form : turned_forms)
    for (const ropewalk_dtype dtype : {ROPEWALK_F32, ROPEWALK_BF16, ROPEWALK_F64})
      for (int index = 0; index < 10; ++index) {
        rotation_case rotation = case_of(form, dtype, index);
        axis_positions positions;
        for (std::int64_t i = 0; i < form.axes.count * rotation.tokens; ++i)
          positions.whole.push_back(static_cast<std::int32_t>(random()) >> (random() % 2 == 0 ? 0 : 20));
        served += expect_slices(form, rotation, positions, random);
      }
  EXPECT_GE(served, 4 * 10 * (3 + 3 + 2));  // exact and two of the CPU; in binary64, exact and a table
}

TEST(ByAxis, TurnsByRealPositions) {
  std::mt19937_64 random(22);
  std::uniform_real_distribution<double> position(-4096, 4096);
  int served = 0;
  for (const turned_form& form : turned_forms)
    for (int index = 0; index < 6; ++index) {
      const rotation_case rotation = case_of(form, ROPEWALK_F32, index);
      axis_positions positions;
      for (std::int64_t i = 0; i < form.axes.count * rotation.tokens; ++i)
        positions.real.push_back(position(random));
      served += expect_slices(form, rotation, positions, random);
    }
  EXPECT_GE(served, 4 * 6 * 3);
}

TEST(ByAxis, CountsTokensOnEveryAxis) {
  std::mt19937_64 random(23);
  for (const turned_form& form : turned_forms)
    for (int index = 0; index < 3; ++index)
      EXPECT_GE(expect_slices(form, case_of(form, ROPEWALK_F32, index), {}, random), 3);
}

/// Kernels turn what another code turns: channel c + k with c + k + n in plain loops over exact entries.
TEST(ByAxis, IsTheMirrorsRotationOfEachPair) {
  std::mt19937_64 random(24);
  for (const turned_form& form : turned_forms) {
    const rotation_case rotation = case_of(form, ROPEWALK_F32, 0);
    const tensors in = random_tensors(rotation, random);
    axis_positions positions;
    for (std::int64_t i = 0; i < form.axes.count * rotation.tokens; ++i)
      positions.whole.push_back(static_cast<std::int32_t>(random() % 4096));
    std::vector<std::uint64_t> wanted = in.query;
    int begin = 0;
    for (int axis = 0; axis < form.axes.count; ++axis) {
      const int pairs = pairs_of_axis(axis, form.axes, form.encoding);
      if (pairs == 0) continue;
      const rope_rows rows({.base = form.encoding.base, .rotary_dim = 2 * pairs});
      for (std::size_t head = 0; head < static_cast<std::size_t>(rotation.tokens * rotation.query_heads);
           ++head)
        for (int k = 0; k < pairs; ++k) {
          const std::size_t token = head / static_cast<std::size_t>(rotation.query_heads);
          const auto entry = rows.entry<float>(
              k, positions.whole[static_cast<std::size_t>(axis * rotation.tokens) + token], false);
          const std::size_t first = head * static_cast<std::size_t>(rotation.layout.head_dim) +
                                    static_cast<std::size_t>(begin + k),
                            second = first + static_cast<std::size_t>(pairs);
          const auto y = rotate_pair<float>(
              {static_cast<std::uint32_t>(in.query[first]), static_cast<std::uint32_t>(in.query[second])},
              {entry.cos, entry.sin});
          wanted[first] = y.first;
          wanted[second] = y.second;
        }
      begin += 2 * pairs;
    }
    const resolved_axes encoding(form.encoding, form.axes, rotation.layout);
    for (const ropewalk_kernel& kernel : all_kernels()) {
      if (promise_of(kernel) != promise::canonical) continue;
      const tensors got =
          applied(kernel, encoding, rotation, in, positions.from_axis(0, rotation.tokens, form.axes.count));
      EXPECT_EQ(first_difference(ROPEWALK_F32, got.query, wanted), -1) << kernel.name;
    }
  }
}

TEST(ByAxis, OnOneAxisIsHalfSplit) {
  std::mt19937_64 random(25);
  rotation_case rotation{.layout = {.head_dim = 10, .pairing_in = by_axis, .pairing_out = by_axis}};
  const tensors in = random_tensors(rotation, random);
  for (const ropewalk_kernel& kernel : all_kernels()) {
    const tensors got =
        applied(kernel, resolved_encoding(rotation.encoding, rotation.layout), rotation, in, {});
    const tensors halves =
        applied(kernel, resolved_encoding(rotation.encoding, {.head_dim = 10}), rotation, in, {});
    EXPECT_EQ(got, halves) << kernel.name;
  }
}

/// Half-split over all channels gives other bits, so that the tests above can fail.
TEST(ByAxis, DiffersFromHalfSplit) {
  std::mt19937_64 random(26);
  const turned_form& form = turned_forms[1];
  const rotation_case rotation = case_of(form, ROPEWALK_F32, 0);
  const tensors in = random_tensors(rotation, random);
  const ropewalk_kernel kernel = cpu_turns_kernel();
  const head_layout halves{.head_dim = rotation.layout.head_dim};
  EXPECT_NE(applied(kernel, resolved_axes(form.encoding, form.axes, rotation.layout), rotation, in, {}),
            applied(kernel, resolved_axes(form.encoding, form.axes, halves), rotation, in, {}));
}

/// Threads split a call by tokens; sequences count their own.
TEST(ByAxis, ProcessesRangesAndSequences) {
  std::mt19937_64 random(27);
  const turned_form& form = turned_forms[1];
  rotation_case rotation = case_of(form, ROPEWALK_F32, 0);
  rotation.tokens = 6;
  rotation.key_heads = 1;
  const tensors in = random_tensors(rotation, random);
  const resolved_axes encoding(form.encoding, form.axes, rotation.layout);
  const std::int64_t offsets[] = {0, 4, 6};
  const axis_positions counted{.whole = {0, 1, 2, 3, 0, 1, 0, 1, 2, 3, 0, 1, 0, 1, 2, 3, 0, 1}};
  for (const ropewalk_kernel& kernel : all_kernels()) {
    const tensors wanted =
        applied(kernel, encoding, rotation, in, counted.from_axis(0, rotation.tokens, form.axes.count));
    laid_out memory(rotation, in);
    ropewalk_rotation_call& call = memory.call;
    for (ropewalk_tensor* const tensor : {&call.query_in, &call.query_out, &call.key_in, &call.key_out}) {
      tensor->rank = 3;
      for (int i = 0; i < 3; ++i)
        tensor->shape[i] = tensor->shape[i + 1], tensor->stride[i] = tensor->stride[i + 1];
    }
    call.tokens.sequence_offset = offsets;
    call.tokens.sequences = 2;
    const planned plan(kernel, encoding.view());
    for (const std::int64_t end : {2, 6}) {
      call.tokens.end = end;
      EXPECT_EQ(plan.apply(call), ROPEWALK_OK) << kernel.name << ' ' << plan.error.text;
      call.tokens.begin = end;
    }
    EXPECT_EQ(memory.read(), wanted) << kernel.name;
  }
}

/// Nothing is written if any part of a call is invalid, even a part that only the last axis has.
TEST(ByAxis, ChecksAWholeCallBeforeItWrites) {
  std::mt19937_64 random(28);
  const turned_form& form = turned_forms[2];
  const rotation_case rotation = case_of(form, ROPEWALK_F32, 0);
  const tensors in = random_tensors(rotation, random);
  const resolved_axes encoding(form.encoding, form.axes, rotation.layout);
  const auto expect_refused = [&](const ropewalk_kernel& kernel, const char* field, auto change) {
    laid_out memory(rotation, in);
    const tensors before = memory.read();
    axis_positions positions{.real = std::vector<double>(static_cast<std::size_t>(2 * rotation.tokens), 1)};
    memory.call.tokens.positions = positions.from_axis(0, rotation.tokens, 2);
    change(memory.call, positions);
    const planned plan(kernel, encoding.view());
    EXPECT_EQ(plan.apply(memory.call), ROPEWALK_INVALID_ARGUMENT) << kernel.name;
    EXPECT_STREQ(plan.error.field, field) << kernel.name;
    EXPECT_EQ(memory.read(), before) << kernel.name;
  };
  for (const ropewalk_kernel& kernel : all_kernels()) {
    if (!serves(kernel, ROPEWALK_F32, true)) continue;
    expect_refused(kernel, "tokens.positions", [](ropewalk_rotation_call&, axis_positions& positions) {
      positions.real.back() = std::numeric_limits<double>::infinity();
    });
    expect_refused(kernel, "tokens.positions.axes",
                   [](ropewalk_rotation_call& call, axis_positions&) { call.tokens.positions.axes = 1; });
    expect_refused(kernel, "query_out.data", [](ropewalk_rotation_call& call, axis_positions&) {
      // the input begins among the last axis's channels of the output
      call.query_in.data = static_cast<float*>(call.query_out.data) + 40;
    });
    expect_refused(kernel, "query_in.shape[3]", [](ropewalk_rotation_call& call, axis_positions&) {
      call.query_in.shape[3] = call.query_out.shape[3] = 63;
    });
  }
}

TEST(ByAxis, NeedsAxesInRuns) {
  const turned_form& form = turned_forms[2];
  const head_layout layout{.head_dim = 64, .pairing_in = by_axis, .pairing_out = by_axis};
  const resolved_axes encoding(form.encoding, form.axes, layout);
  std::vector<std::int32_t> axis(encoding.view().axis, encoding.view().axis + 32);
  axis[20] = 0;
  ropewalk_rotation other = encoding.view();
  other.axis = axis.data();
  for (const ropewalk_kernel& kernel : all_kernels()) {
    const planned plan(kernel, other);
    EXPECT_EQ(plan.status, ROPEWALK_INVALID_ARGUMENT) << kernel.name;
    EXPECT_STREQ(plan.error.field, "axis[20]");
  }
  rope_axes in_turn = form.axes;
  in_turn.order = axis_order::round_robin;
  EXPECT_THROW(resolved_axes(form.encoding, in_turn, layout), std::invalid_argument);
  const rope_axes still{.count = 2,
                        .axis = {rotary_axis{15}, rotary_axis{15}},
                        .frequencies_of = axis_frequencies::own,
                        .still_pairs = 2};
  EXPECT_THROW(resolved_axes(form.encoding, still, layout), std::invalid_argument);
  EXPECT_NO_THROW(resolved_axes(form.encoding, still, {.head_dim = 64}));
}

TEST(ByAxis, CrossesOnlyWithInterleaved) {
  const turned_form& form = turned_forms[2];
  const head_layout layout{.head_dim = 64, .pairing_in = by_axis, .pairing_out = by_axis};
  const resolved_axes resolved(form.encoding, form.axes, layout);
  for (const ropewalk_kernel& kernel : all_kernels()) {
    ropewalk_rotation encoding = resolved.view();
    for (const auto& [in, out] : {std::pair(by_axis, half_split), std::pair(half_split, by_axis)}) {
      encoding.pairing_in = number_of(in);
      encoding.pairing_out = number_of(out);
      const planned plan(kernel, encoding);
      EXPECT_EQ(plan.status, ROPEWALK_INVALID_ARGUMENT) << kernel.name;
      EXPECT_STREQ(plan.error.field, "pairing_out");
    }
    encoding.pairing_in = encoding.pairing_out = 3;
    EXPECT_STREQ(planned(kernel, encoding).error.field, "pairing_in") << kernel.name;
  }
  EXPECT_THROW(resolved_axes(form.encoding, form.axes, {.head_dim = 64, .pairing_out = by_axis}),
               std::invalid_argument);
}

TEST(ByAxis, IsNamedByTheLimitsOfEveryRotation) {
  for (const ropewalk_kernel& kernel : all_kernels()) {
    ASSERT_NE(kernel.limits, nullptr) << kernel.name;
    EXPECT_EQ(kernel.limits->pairings, all_pairings) << kernel.name;
  }
}

TEST(ByAxis, IsNoPairingOfAdditions) {
  ropewalk_row_addition encoding = resolved_sinusoidal(sinusoidal{.d_model = 8}).view();
  encoding.pairing = ROPEWALK_HALF_SPLIT_BY_AXIS;
  for (const ropewalk_kernel& kernel : addition_kernels()) {
    if (kernel.operation != ROPEWALK_ADD_ROW) continue;
    EXPECT_STREQ(planned(kernel, encoding).error.field, "pairing") << kernel.name;
  }
}

}  // namespace
}  // namespace ropewalk::test
