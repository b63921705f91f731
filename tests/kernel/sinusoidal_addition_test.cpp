// cpu-sinusoidal-add against the mirror, bit for bit.

#include <gtest/gtest.h>

#include <cstdint>
#include <limits>
#include <random>
#include <vector>

#include "kernel/addition_case.hpp"
#include "kernel/addition_targets.hpp"
#include "kernel/kernel_test_name.hpp"
#include "kernel/simd/simd.hpp"
#include "ropewalk/kernel/bias_plan.hpp"

namespace ropewalk::test {
namespace {

class CpuSinusoidalAdd : public testing::TestWithParam<ropewalk_kernel> {
 protected:
  static void expect_canonical(const sinusoidal& config, const rotation_case& rotation,
                               position_range often = {}) {
    std::mt19937_64 random(1);
    const tensors in = random_tensors(rotation, random);
    expect_sums(GetParam(), resolved_sinusoidal(config, often), rotation,
                canonical_sums(config, rotation, in), in);
  }
};

INSTANTIATE_TEST_SUITE_P(Kernels, CpuSinusoidalAdd, testing::ValuesIn(addition_targets("cpu-sinusoidal-add")),
                         test_name);

TEST_P(CpuSinusoidalAdd, GivesTheMirrorsBitsWithAShiftAndAScale) {
  for (const double shift : {0.25, -0.5, -300.0})
    for (const double scale : {0x1p-60, 0.001, 1000.0, 0x1p64}) {
      rotation_case rotation = shape(ROPEWALK_F32, 33, 5, 2);
      rotation.positions = {0, -1, 1, 2, 70000};
      expect_canonical({.base = 77,
                        .d_model = 33,
                        .shift = shift,
                        .layout = sinusoidal_layout::cos_sin,
                        .odd = odd_width::zero,
                        .scale = scale},
                       rotation);
    }
}

/// Timesteps: real times, a shift, and a scale up to the largest, whose turns are mostly whole.
TEST_P(CpuSinusoidalAdd, AddsTheRowsOfRealTimes) {
  const std::vector<double> times{0, 0.5, -0.3, 1. / 3, 999.25, 1e-300, 2147483646.5, -0x1p-1074};
  for (const ropewalk_dtype dtype : all_dtypes)
    for (const sinusoidal& config :
         {sinusoidal{.d_model = 34, .layout = sinusoidal_layout::cos_sin, .scale = 1000},
          sinusoidal{.d_model = 33, .shift = 1, .odd = odd_width::zero, .scale = 0x1p64},
          sinusoidal{.base = 77, .d_model = 16, .shift = -0.5, .scale = 0x1p-60}}) {
      const rotation_case rotation = shape(dtype, config.d_model, static_cast<std::int64_t>(times.size()), 2);
      std::mt19937_64 random(4);
      const tensors in = random_tensors(rotation, random);
      laid_out memory(rotation, in);
      const resolved_sinusoidal resolved(config);
      const planned plan(GetParam(), resolved.view());
      ASSERT_EQ(plan.status, ROPEWALK_OK) << plan.error.text;
      auto call = call_for(resolved.view(), memory);
      call.tokens.positions = {ROPEWALK_POSITIONS_F64, 1, times.data(), {0, 0, 1}};
      ASSERT_EQ(plan.apply(call), ROPEWALK_OK) << plan.error.field << ' ' << plan.error.text;
      rotation_case by_index = rotation;  // sums() gives the index of each time
      for (std::size_t i = 0; i < times.size(); ++i) by_index.positions.push_back(static_cast<int>(i));
      const auto wanted =
          sums(by_index, in, [&]<class Wide>(std::int64_t, std::int64_t index, std::int64_t channel) {
            const auto at = content_of(static_cast<int>(channel), config);
            return at.holds == wave::zero
                       ? std::optional<bits_of<Wide>>{}
                       : round_sinusoidal_entry<Wide>(times[static_cast<std::size_t>(index)],
                                                      static_cast<int>(channel), config);
          });
      EXPECT_EQ(first_difference(dtype, memory.read().query, wanted), -1) << name_of(dtype);
    }
}

TEST_P(CpuSinusoidalAdd, GivesTheMirrorsBitsInEveryConvention) {
  for (const ropewalk_dtype dtype : all_dtypes)
    for (const double shift : {0, 1})
      for (const sinusoidal_layout layout :
           {sinusoidal_layout::interleaved, sinusoidal_layout::sin_cos, sinusoidal_layout::cos_sin})
        for (const int width : {18, 33})
          for (const bool padded : {false, true}) {
            sinusoidal config{.d_model = width, .shift = shift, .layout = layout, .odd = odd_width::zero};
            if (padded) config.padding_idx = 1;
            rotation_case rotation = shape(dtype, width, 5, 2);
            rotation.positions = {0, -1, 1, 2, 70000};
            expect_canonical(config, rotation);
            expect_canonical(config, rotation, {-2, 3});
          }
}

TEST_P(CpuSinusoidalAdd, FollowsPositionsToTheirEndsAndPastThemByTheOffset) {
  rotation_case rotation = shape(ROPEWALK_F32, 16, 6, 1);
  rotation.positions = {
      std::numeric_limits<std::int32_t>::max(), std::numeric_limits<std::int32_t>::min(), -1, 0, 1, 2};
  sinusoidal config{.d_model = 16, .padding_idx = 7};
  expect_canonical(config, rotation);
  expect_canonical(config, rotation, {2147483640, 2147483648});
}

TEST_P(CpuSinusoidalAdd, StretchesOfPositionsEnterAndLeaveTheTable) {
  for (const ropewalk_dtype dtype : {ROPEWALK_F64, ROPEWALK_F16})
    for (const int heads : {1, 3}) {
      rotation_case rotation = shape(dtype, 6, 24, heads);
      rotation.positions = {-3, -2, -1, 0, 1, 2, 3, 4, 5, 6, 7, 7, 8, 5, 4, 3, 3, 4, 0, 1, 6, -1, 0, 70000};
      for (const position_range often : {position_range{0, 6}, {-2, 3}, {5, 5}, {-10, 100}})
        expect_canonical({.d_model = 6}, rotation, often);
      rotation.positions.clear();
      rotation.batch = 2;
      expect_canonical({.d_model = 6}, rotation, {3, 20});
    }
}

TEST_P(CpuSinusoidalAdd, PositionsThatRunOnInTheNextBatchRow) {
  rotation_case rotation = shape(ROPEWALK_F32, 6, 5, 1);
  rotation.batch = 2;
  rotation.how = arrangement::gapped;
  rotation.positions = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9};
  expect_canonical({.d_model = 6}, rotation, {0, 20});
}

TEST_P(CpuSinusoidalAdd, ServesEveryArrangementInPlaceAndNot) {
  for (const ropewalk_dtype dtype : all_dtypes)
    for (const arrangement how : all_arrangements)
      for (const bool in_place : {false, true}) {
        rotation_case rotation = shape(dtype, 11, 3, 2);
        rotation.batch = 2;
        rotation.how = how;
        rotation.in_place = in_place;
        expect_canonical({.d_model = 11, .odd = odd_width::zero}, rotation);
      }
}

TEST_P(CpuSinusoidalAdd, AnswersBadCallsAndWritesNothing) {
  const rotation_case rotation = shape(ROPEWALK_F32, 8, 2, 1);
  std::mt19937_64 random(2);
  const tensors in = random_tensors(rotation, random);
  const planned plan(GetParam(), resolved_sinusoidal({.d_model = 8}).view());
  const auto refused = [&](auto spoil, const char* field) {
    laid_out memory(rotation, in);
    const tensors before = memory.read();
    ropewalk_row_call call = call_for(ropewalk_row_addition{}, memory);
    spoil(call);
    EXPECT_EQ(plan.apply(call), ROPEWALK_INVALID_ARGUMENT);
    EXPECT_STREQ(plan.error.field, field);
    EXPECT_EQ(memory.read(), before);
  };
  refused([](ropewalk_row_call& call) { call.out.data = static_cast<float*>(call.in.data) + 1; }, "out.data");
  refused([](ropewalk_row_call& call) { call.head.operation = ROPEWALK_ADD_BIAS; }, "operation");
  refused([](ropewalk_row_call& call) { call.head.struct_size = 4; }, "struct_size");
  refused([](ropewalk_row_call& call) { call.in.shape[3] = 7; }, "in.shape[3]");
  for (const bool is_offset : {false, true}) {
    const resolved_sinusoidal owner({.d_model = 8});
    ropewalk_row_addition encoding = owner.view();
    (is_offset ? encoding.row_offset : encoding.cosine_first) = -1;
    EXPECT_STREQ(planned(GetParam(), encoding).error.field, is_offset ? "row_offset" : "cosine_first");
  }
}

}  // namespace
}  // namespace ropewalk::test
