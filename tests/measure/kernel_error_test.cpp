// Errors of kernels: those of known kernels have their known sizes, and what a kernel does not serve is said.

#include "measure/kernel_error.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <set>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "fault/faults.hpp"
#include "kernel/kernels.hpp"
#include "ropewalk/config/yarn.hpp"
#include "ropewalk/encoding/rope.hpp"
#include "ropewalk/law/judge/bound.hpp"
#include "ropewalk/law/kernel/kernel_call.hpp"
#include "transport/message_kernels.hpp"
#include "transport/program.hpp"

namespace ropewalk::measure {
namespace {

constexpr rope plain{.base = 10000, .rotary_dim = 128};
constexpr head_layout whole{128, pairing::half_split, pairing::half_split};
constexpr int few = 8;

/// A rotation of few pairs, for kernels that are slow.
constexpr rope narrow{.base = 10000, .rotary_dim = 8};
constexpr head_layout narrow_head{8, pairing::half_split, pairing::half_split};

const ropewalk_kernel& recipe(std::string_view name) {
  const auto all = recipe_kernels();
  return *std::find_if(all.begin(), all.end(),
                       [&](const ropewalk_kernel& kernel) { return kernel.name == name; });
}

/// The largest distances as the bench's README has them, in two digits.
std::vector<std::string> distances(const std::vector<error_below>& errors) {
  std::vector<std::string> distances;
  for (const error_below& error : errors)
    distances.push_back(error.is_served ? fmt::format("{:.2g}", error.distance) : "not served");
  return distances;
}

void expect_exact(const std::vector<error_below>& errors) {
  ASSERT_EQ(errors.size(), error_limits.size());
  for (std::size_t i = 0; i < errors.size(); ++i) {
    EXPECT_EQ(errors[i].limit, error_limits[i]);
    EXPECT_TRUE(errors[i].is_served);
    EXPECT_EQ(errors[i].correctly_rounded, 1);
    EXPECT_LE(errors[i].ulp, 0.5);
    EXPECT_GT(errors[i].ulp, 0);
    EXPECT_GT(errors[i].distance, 0);
  }
}

TEST(KernelError, ExactKernelIsNearestInEveryFormat) {
  measured_rotation in(narrow, narrow_head);
  for (const ropewalk_dtype dtype : all_dtypes) expect_exact(kernel_errors(exact_kernel(), dtype, in, few));
}

TEST(KernelError, PartialRotaryAndCrossingPairingsAreRead) {
  for (const pairing from : {pairing::interleaved, pairing::half_split})
    for (const pairing to : {pairing::interleaved, pairing::half_split}) {
      measured_rotation in(narrow, {12, from, to});
      expect_exact(kernel_errors(exact_kernel(), ROPEWALK_F32, in, few));
    }
}

TEST(KernelError, RecipesHaveTheirKnownSizes) {
  measured_rotation in(plain, whole);
  EXPECT_EQ(distances(kernel_errors(recipe("recipe-hf-f32"), ROPEWALK_F32, in)),
            (std::vector<std::string>{"0.00011", "0.0072", "0.056", "2"}));
  const auto canonical = kernel_errors(cpu_turns_kernel(), ROPEWALK_F32, in);
  EXPECT_EQ(distances(canonical).back(), "4.2e-08");
  EXPECT_EQ(canonical.back().correctly_rounded, 1);
}

TEST(KernelError, ErrorsGrowWithTheLimit) {
  measured_rotation in(plain, whole);
  const auto errors = kernel_errors(recipe("recipe-ggml"), ROPEWALK_F32, in, few);
  for (std::size_t i = 1; i < errors.size(); ++i) {
    EXPECT_GE(errors[i].distance, errors[i - 1].distance);
    EXPECT_GE(errors[i].ulp, errors[i - 1].ulp);
    EXPECT_LT(errors[i].correctly_rounded, 1);
  }
}

TEST(KernelError, FaultIsWorseThanTheCanonicalKernel) {
  measured_rotation in(plain, whole);
  const auto right = kernel_errors(cpu_turns_kernel(), ROPEWALK_F32, in, few);
  const auto wrong = kernel_errors(fault::angle_f32(), ROPEWALK_F32, in, few);
  for (std::size_t i = 0; i < right.size(); ++i) {
    EXPECT_GT(wrong[i].distance, right[i].distance);
    EXPECT_LT(wrong[i].correctly_rounded, right[i].correctly_rounded);
  }
}

TEST(KernelError, Bfloat16HasItsOwnUnits) {
  measured_rotation in(plain, whole);
  const auto canonical = kernel_errors(cpu_turns_kernel(), ROPEWALK_BF16, in, few);
  const auto cached = kernel_errors(recipe("recipe-bf16-angle"), ROPEWALK_BF16, in, few);
  const auto single = kernel_errors(cpu_turns_kernel(), ROPEWALK_F32, in, few);
  for (std::size_t i = 0; i < canonical.size(); ++i) {
    EXPECT_LT(canonical[i].ulp, 1);
    EXPECT_GT(canonical[i].distance, single[i].distance);
    EXPECT_GT(cached[i].distance, canonical[i].distance);
  }
}

TEST(KernelError, AttentionFactorIsPartOfThePoint) {
  const rope stretched{.base = 10000,
                       .rotary_dim = 8,
                       .scaling = yarn{.factor = 4, .original_max_position_embeddings = 32768}};
  measured_rotation in(stretched, narrow_head);
  expect_exact(kernel_errors(exact_kernel(), ROPEWALK_F32, in, few));
  const double factor = upper_binary64(rope_attention_factor<4>(stretched));
  const double bound = factor * accuracy_bound<float>(promise::canonical, factor, 0).relative;
  for (const error_below& error : kernel_errors(fault::attention_dropped(), ROPEWALK_F32, in, few)) {
    EXPECT_GT(error.distance, factor - 1 - bound);
    EXPECT_LT(error.distance, factor - 1 + bound);
  }
}

// Kernels that serve less than they are asked.

std::set<std::int32_t> asked_positions;
std::set<std::array<std::int64_t, 4>> asked_shapes;

/// Applies the canonical rotation to tensors of rank 4, and keeps what was asked for.
std::int32_t apply_and_report(const ropewalk_plan* plan, const ropewalk_head* head, ropewalk_error* error) {
  const auto& call = *reinterpret_cast<const ropewalk_rotation_call*>(head);
  const ropewalk_tensor& query = call.query_in;
  if (query.rank != 4) return ROPEWALK_UNSUPPORTED;
  const auto* const positions = static_cast<const std::int32_t*>(call.tokens.positions.data);
  const std::int64_t* const stride = call.tokens.positions.stride;
  for (std::int64_t row = 0; row < query.shape[0]; ++row)
    for (std::int64_t token = 0; token < query.shape[1]; ++token)
      asked_positions.insert(positions[row * stride[1] + token * stride[2]]);
  asked_shapes.insert({query.shape[0], query.shape[1], query.shape[2], query.shape[3]});
  return cpu_turns_kernel().apply(plan, head, error);
}

/// Declines positions from 2^20 on, beyond what its limits say.
std::int32_t decline_far(const ropewalk_plan* plan, const ropewalk_head* head, ropewalk_error* error) {
  asked_positions.clear();
  const std::int32_t status = apply_and_report(plan, head, error);
  return asked_positions.empty() || *asked_positions.rbegin() >= 1 << 20 ? ROPEWALK_UNSUPPORTED : status;
}

/// Declines positions below 2048.
std::int32_t decline_near(const ropewalk_plan* plan, const ropewalk_head* head, ropewalk_error* error) {
  asked_positions.clear();
  const std::int32_t status = apply_and_report(plan, head, error);
  return asked_positions.empty() || *asked_positions.begin() < 2048 ? ROPEWALK_UNSUPPORTED : status;
}

std::int32_t fail(const ropewalk_plan*, const ropewalk_head*, ropewalk_error*) {
  return ROPEWALK_OUT_OF_MEMORY;
}

ropewalk_kernel limited(const ropewalk_limits& limits) {
  ropewalk_kernel kernel = cpu_turns_kernel();
  kernel.limits = &limits;
  kernel.apply = apply_and_report;
  asked_positions.clear();
  asked_shapes.clear();
  return kernel;
}

std::vector<bool> served(const std::vector<error_below>& errors) {
  std::vector<bool> bools;
  for (const error_below& error : errors) bools.push_back(error.is_served);
  return bools;
}

const std::vector<bool> nowhere{false, false, false, false};

TEST(KernelError, PositionsBeyondLimitsAreNotAskedFor) {
  ropewalk_limits limits{};
  limits.struct_size = sizeof limits;
  limits.position_end = 131072;
  measured_rotation in(plain, whole);
  const auto errors = kernel_errors(limited(limits), ROPEWALK_F32, in, few);
  EXPECT_EQ(served(errors), (std::vector<bool>{true, true, false, false}));
  EXPECT_EQ(*asked_positions.rbegin(), 131071);
  EXPECT_TRUE(std::isnan(errors.back().distance));
  const auto unlimited = kernel_errors(cpu_turns_kernel(), ROPEWALK_F32, in, few);
  EXPECT_EQ(errors[1].distance, unlimited[1].distance);

  const position_range ranges[] = {{1000, 2000}, {131000, 131073}};
  const auto by_range = error_by_position(limited(limits), promise::canonical, ROPEWALK_F32, in, ranges);
  EXPECT_TRUE(by_range[0].is_served);
  EXPECT_FALSE(by_range[1].is_served);
  EXPECT_TRUE(std::isnan(by_range[1].distance));
}

TEST(KernelError, OnlyListedShapesAreAskedFor) {
  const std::int64_t shapes[][4] = {{1, 4, 1, 64}, {2, 3, 5, 128}, {4, 16, 8, 128}};
  ropewalk_limits limits{};
  limits.struct_size = sizeof limits;
  limits.shapes = shapes;
  limits.shape_count = 3;
  measured_rotation in(plain, whole);
  const auto errors = kernel_errors(limited(limits), ROPEWALK_F32, in, few);
  EXPECT_EQ(asked_shapes, (std::set<std::array<std::int64_t, 4>>{{2, 3, 5, 128}}));
  const auto unlimited = kernel_errors(cpu_turns_kernel(), ROPEWALK_F32, in, few);
  for (std::size_t i = 0; i < errors.size(); ++i) EXPECT_EQ(errors[i].distance, unlimited[i].distance);
  limits.shape_count = 1;
  EXPECT_EQ(served(kernel_errors(limited(limits), ROPEWALK_F32, in, few)), nowhere);
}

TEST(KernelError, WhatIsNotServedIsNoFailure) {
  ropewalk_limits limits{};
  limits.struct_size = sizeof limits;
  measured_rotation in(plain, whole), partial(narrow, {12, pairing::half_split, pairing::half_split}),
      crossing(plain, {128, pairing::half_split, pairing::interleaved});
  const auto errors = [&](measured_rotation& rotation) {
    return served(kernel_errors(limited(limits), ROPEWALK_F32, rotation, few));
  };
  limits.dtypes = 1u << ROPEWALK_BF16;
  EXPECT_EQ(errors(in), nowhere);
  limits.dtypes = 0;
  limits.pairings = 1u << ROPEWALK_INTERLEAVED;
  EXPECT_EQ(errors(in), nowhere);
  limits.pairings = 0;
  limits.not_served = ROPEWALK_NO_PARTIAL;
  EXPECT_EQ(errors(partial), nowhere);
  limits.not_served = ROPEWALK_NO_CROSSING;
  EXPECT_EQ(errors(crossing), nowhere);
  EXPECT_TRUE(asked_shapes.empty());
  limits.not_served = 0;
  EXPECT_EQ(errors(crossing), (std::vector<bool>(4, true)));
  EXPECT_EQ(errors(partial), (std::vector<bool>(4, true)));
}

TEST(KernelError, DeclinedCallsAreNotServed) {
  measured_rotation in(plain, whole);
  EXPECT_EQ(served(kernel_errors(cpu_turns_kernel(), ROPEWALK_F64, in, few)), nowhere);
  ropewalk_kernel kernel = cpu_turns_kernel();
  kernel.apply = decline_far;
  EXPECT_EQ(served(kernel_errors(kernel, ROPEWALK_F32, in, few)),
            (std::vector<bool>{true, true, true, false}));
}

TEST(KernelError, PositionsBelowSmallerLimitsCount) {
  measured_rotation in(plain, whole);
  ropewalk_kernel kernel = cpu_turns_kernel();
  kernel.apply = decline_near;
  EXPECT_EQ(served(kernel_errors(kernel, ROPEWALK_F32, in, few)), nowhere);
  const position_range far[] = {{std::int64_t{1} << 30, std::int64_t{1} << 31}};
  EXPECT_TRUE(error_by_position(kernel, promise::canonical, ROPEWALK_F32, in, far)[0].is_served);
}

TEST(KernelError, AnyOtherFailureIsThrown) {
  measured_rotation in(plain, whole);
  ropewalk_kernel kernel = cpu_turns_kernel();
  kernel.apply = fail;
  EXPECT_THROW(kernel_errors(kernel, ROPEWALK_F32, in, few), kernel_trouble);
  EXPECT_THROW(kernel_errors(cpu_turns_kernel(), ROPEWALK_F32, in, 0), std::invalid_argument);
}

TEST(KernelError, ProgramsAreMeasuredThroughTheirTransport) {
  const std::string python = ROPEWALK_PYTHON, source = ROPEWALK_SOURCE;
  if (std::system((python + " -c 'import numpy' 2>/dev/null").c_str()) != 0)
    GTEST_SKIP() << "numpy is not installed";
  const ropewalk_kernel& program =
      *transport::message_kernels(
           std::make_shared<transport::program>("PYTHONPATH=" + source + "/src/python exec " + python + " " +
                                                    source + "/tests/transport/numpy_rope.py",
                                                transport::child_limits{}),
           "the program")
           .at(0);
  measured_rotation in(plain, whole);
  const auto errors = kernel_errors(program, ROPEWALK_F32, in, few);
  const auto canonical = kernel_errors(cpu_turns_kernel(), ROPEWALK_F32, in, few);
  EXPECT_EQ(served(errors), (std::vector<bool>(4, true)));
  EXPECT_EQ(distances(errors).front(), distances(canonical).front());  // its angle is formed in binary64
  EXPECT_GT(errors.back().distance, canonical.back().distance);
}

TEST(ErrorByPosition, StaysWithinTheBound) {
  measured_rotation in(plain, whole);
  const auto ranges = ranges_by_octave(1);
  for (const ropewalk_kernel& kernel : {cpu_turns_kernel(), cpu_table_kernel(), recipe("recipe-hf-f32"),
                                        recipe("recipe-bf16-cache"), recipe("recipe-f64")})
    for (const ropewalk_dtype dtype : {ROPEWALK_F32, ROPEWALK_BF16})
      for (const error_in_range& error :
           error_by_position(kernel, promise_of(kernel), dtype, in, ranges, few)) {
        EXPECT_TRUE(error.is_served);
        EXPECT_LE(error.distance, error.bound) << kernel.name << " at " << error.positions.begin;
        EXPECT_GT(error.distance, 0);
      }
}

TEST(ErrorByPosition, GrowsWhereTheAngleIsRounded) {
  measured_rotation in(plain, whole);
  const position_range ranges[] = {{1, 1024}, {std::int64_t{1} << 30, std::int64_t{1} << 31}};
  const auto flat = error_by_position(cpu_turns_kernel(), promise::canonical, ROPEWALK_F32, in, ranges, 64);
  EXPECT_EQ(flat[0].bound, flat[1].bound);
  const ropewalk_kernel& kernel = recipe("recipe-hf-f32");
  const auto rising = error_by_position(kernel, promise_of(kernel), ROPEWALK_F32, in, ranges, 64);
  EXPECT_LT(rising[0].bound, rising[1].bound);
  EXPECT_LT(rising[0].distance, rising[1].distance);
}

TEST(ErrorByPosition, BoundIsThatOfTheFarthestPosition) {
  measured_rotation in(plain, whole);
  const position_range ranges[] = {{1, 1024}, {1023, 1024}, {-1024, 1}, {1024, 1025}};
  const ropewalk_kernel& kernel = recipe("recipe-hf-f32");
  const auto errors = error_by_position(kernel, promise_of(kernel), ROPEWALK_F32, in, ranges);
  EXPECT_EQ(errors[0].bound, errors[1].bound);
  EXPECT_EQ(errors[2].bound, errors[3].bound);
  EXPECT_LT(errors[1].bound, errors[3].bound);
}

TEST(ErrorByPosition, BoundGrowsWithTheAttentionFactor) {
  const yarn rule{.factor = 4, .original_max_position_embeddings = 4096};
  const rope stretched{.base = 10000, .rotary_dim = 128, .scaling = rule};
  measured_rotation in(plain, whole), larger(stretched, whole);
  const position_range ranges[] = {{1, 1024}};
  const ropewalk_kernel kernel = cpu_turns_kernel();
  const auto bound = [&](measured_rotation& rotation) {
    return error_by_position(kernel, promise::canonical, ROPEWALK_F32, rotation, ranges).front().bound;
  };
  EXPECT_GE(bound(larger), bound(in) * upper_binary64(rope_attention_factor<2>(stretched)));
}

TEST(ErrorByPosition, FaultExceedsItsBound) {
  measured_rotation in(plain, whole);
  const position_range ranges[] = {{1, 1024}};
  const auto errors = error_by_position(fault::angle_f32(), promise::canonical, ROPEWALK_F32, in, ranges);
  EXPECT_GT(errors[0].distance, errors[0].bound);
}

TEST(ErrorByPosition, PositionsNearOneEndWithTheLast) {
  EXPECT_EQ(positions_near(100000), (position_range{95000, 105001}));
  EXPECT_EQ(positions_near(1), (position_range{1, 2}));
  EXPECT_EQ(positions_near(2147483647).end, std::int64_t{1} << 31);
}

TEST(ErrorByPosition, RangesFollowOneAnother) {
  for (const int of_an_octave : {1, 4, 7}) {
    const auto ranges = ranges_by_octave(of_an_octave);
    EXPECT_EQ(ranges.front().begin, 1);
    EXPECT_EQ(ranges.back().end, std::int64_t{1} << 31);
    for (std::size_t i = 1; i < ranges.size(); ++i) EXPECT_EQ(ranges[i].begin, ranges[i - 1].end);
    for (const position_range& range : ranges) EXPECT_LT(range.begin, range.end);
  }
  EXPECT_EQ(ranges_by_octave(1).size(), 31U);
  EXPECT_THROW(ranges_by_octave(0), std::invalid_argument);
}

}  // namespace
}  // namespace ropewalk::measure
