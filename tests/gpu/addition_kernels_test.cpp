// vulkan-sinusoidal-add and vulkan-alibi-add against the integer mirror, bit for bit, under the validation
// layer.

#include <gtest/gtest.h>

#include <numeric>
#include <random>
#include <string>

#include "gpu/device_inputs.hpp"
#include "gpu/kernels.hpp"
#include "gpu/watched_device.hpp"
#include "kernel/addition_case.hpp"
#include "kernel/kernels.hpp"
#include "ropewalk/kernel/bias_plan.hpp"

namespace ropewalk::test {
namespace {

const ropewalk_kernel& sinusoidal_kernel() { return vulkan_kernels()[2]; }
const ropewalk_kernel& alibi_kernel() { return vulkan_kernels()[3]; }

void expect_canonical(const sinusoidal& config, const rotation_case& rotation) {
  std::mt19937_64 random(1);
  const tensors in = random_tensors(rotation, random);
  expect_sums(sinusoidal_kernel(), resolved_sinusoidal(config), rotation,
              canonical_sums(config, rotation, in), in);
}

void expect_canonical(const alibi& config, const rotation_case& rotation) {
  std::mt19937_64 random(3);
  const tensors in = random_tensors(rotation, random);
  expect_sums(alibi_kernel(), resolved_alibi(config), rotation, canonical_sums(config, rotation, in), in);
}

/// Widths that are a multiple of four and that are not, and an odd one whose last channel belongs to no pair.
TEST(VulkanSinusoidal, EqualsTheMirrorInEveryConvention) {
  const watched_device device;
  for (const ropewalk_dtype dtype : dtypes)
    for (const double shift : {0, 1})
      for (const sinusoidal_layout layout :
           {sinusoidal_layout::interleaved, sinusoidal_layout::sin_cos, sinusoidal_layout::cos_sin})
        for (const int width : {16, 18, 33})
          for (const bool padded : {false, true}) {
            sinusoidal config{.d_model = width, .shift = shift, .layout = layout, .odd = odd_width::zero};
            if (padded) config.padding_idx = 1;
            rotation_case rotation = shape(dtype, width, 5, 2);
            rotation.positions = {0, -1, 1, 2, 70000};
            expect_canonical(config, rotation);
          }
}

TEST(VulkanSinusoidal, EqualsTheMirrorWithAShiftAndAScale) {
  const watched_device device;
  rotation_case rotation = shape(ROPEWALK_F32, 32, 5, 2);
  rotation.positions = {0, -1, 1, 2, 70000};
  for (const double scale : {0.001, 1000.0})
    expect_canonical({.base = 77, .d_model = 32, .shift = 0.25, .scale = scale}, rotation);
}

TEST(VulkanSinusoidal, FollowsPositionsToTheirEndsAndPastThemByTheOffset) {
  const watched_device device;
  rotation_case rotation = shape(ROPEWALK_F32, 16, 8, 1);
  rotation.positions = {last_position, first_position, -1, 0, 1, 2, -9, first_position + 8};
  for (const int padding : {-1, 7, 2147483646}) {
    sinusoidal config{.d_model = 16};
    if (padding >= 0) config.padding_idx = padding;
    expect_canonical(config, rotation);
  }
}

TEST(VulkanSinusoidal, ServesEveryArrangementInPlaceAndNot) {
  const watched_device device;
  for (const ropewalk_dtype dtype : dtypes)
    for (const arrangement how : all_arrangements)
      for (const bool in_place : {false, true})
        for (const int width : {11, 24}) {
          rotation_case rotation = shape(dtype, width, 3, 2);
          rotation.batch = 2;
          rotation.how = how;
          rotation.in_place = in_place;
          expect_canonical({.d_model = width, .odd = odd_width::zero}, rotation);
        }
}

TEST(VulkanAlibi, EqualsTheMirrorForHeadsOfAnyNumber) {
  const watched_device device;
  for (const ropewalk_dtype dtype : dtypes)
    for (const alibi_form form : alibi_forms)
      for (const int heads : {1, 2, 8, 12, 16, 112})
        for (const int keys : {20, 21})
          expect_canonical({.heads = heads, .form = form}, shape(dtype, keys, 3, heads));
}

TEST(VulkanAlibi, QueriesFarApartAndFarAwayHaveTheirOwnEntries) {
  const watched_device device;
  for (const ropewalk_dtype dtype : dtypes)
    for (const alibi_form form : alibi_forms) {
      rotation_case rotation = shape(dtype, 9, 6, 3);
      rotation.positions = {0, 16777217, 33554435, last_position, first_position, -5};
      expect_canonical({.heads = 3, .form = form}, rotation);
    }
}

/// Runs of consecutive queries, single ones, and blocks of queries that are not full.
TEST(VulkanAlibi, QueriesInAnyOrderHaveTheirOwnEntries) {
  const watched_device device;
  for (const ropewalk_dtype dtype : dtypes)
    for (const int keys : {8, 9, 12}) {
      rotation_case rotation = shape(dtype, keys, 17, 3);
      rotation.positions = {4, 5, 6, 5, 5, 4, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 3};
      expect_canonical({.heads = 3}, rotation);
    }
}

/// A plan keeps its last biases: calls that differ in formats, keys and positions need others, or the same.
TEST(VulkanAlibi, OnePlanServesOneCallAfterAnother) {
  const watched_device device;
  std::mt19937_64 random(29);
  const auto below = [&](std::uint64_t limit) { return static_cast<int>(random() % limit); };
  for (const alibi_form form : {alibi_form::causal, alibi_form::last_key}) {
    const alibi config{.heads = 5, .form = form};
    const resolved_alibi resolved(config);
    const planned plan(alibi_kernel(), resolved.view());
    rotation_case rotation = shape(ROPEWALK_F32, 8, 1, 5);
    for (int call = 0; call < 60; ++call) {
      rotation.dtype = dtypes[below(3)];
      switch (call % 5) {
        case 0: rotation.layout.head_dim = 4 * (1 + below(9)); break;
        case 2: rotation.tokens = 1 + below(20); break;
        default: break;  // the same biases
      }
      const int first = call % 5 == 3                ? below(100000)
                        : rotation.positions.empty() ? 0
                                                     : rotation.positions[0];
      rotation.positions.resize(static_cast<std::size_t>(rotation.tokens));
      std::iota(rotation.positions.begin(), rotation.positions.end(), first);
      const tensors in = random_tensors(rotation, random);
      laid_out memory(rotation, in);
      ASSERT_EQ(plan.apply(call_for(resolved.view(), memory)), ROPEWALK_OK) << plan.error.text;
      EXPECT_EQ(first_difference(rotation.dtype, memory.read().query, canonical_sums(config, rotation, in)),
                -1)
          << call;
    }
  }
}

TEST(VulkanAlibi, ServesEveryArrangementInPlaceAndNot) {
  const watched_device device;
  for (const ropewalk_dtype dtype : dtypes)
    for (const arrangement how : all_arrangements)
      for (const bool in_place : {false, true})
        for (const int keys : {11, 24}) {
          rotation_case rotation = shape(dtype, keys, 3, 6);
          rotation.batch = 2;
          rotation.how = how;
          rotation.in_place = in_place;
          for (const alibi_form form : {alibi_form::symmetric, alibi_form::key})
            expect_canonical({.heads = 6, .form = form}, rotation);
        }
}

/// Staging, buffers that hold only a few tokens or a single head of a token, and few workgroups on the first
/// axis.
TEST(VulkanAdditions, LimitsOfADeviceChangeNoBit) {
  for (const vulkan::device_options& options :
       {vulkan::device_options{.forces_staging = true}, vulkan::device_options{.storage_buffer_bytes = 4096},
        vulkan::device_options{.workgroups = 3}}) {
    const watched_device device(options);
    for (const ropewalk_dtype dtype : dtypes)
      for (const int width : {64, 21, 800}) {
        expect_canonical({.heads = 5}, shape(dtype, width, 40, 5));
        if (width < 400)
          expect_canonical({.d_model = width, .odd = odd_width::zero}, shape(dtype, width, 40, 2));
      }
  }
}

/// Encodings that add to only a part of each token, from any row on; heads that share a row; rows kept from
/// the previous call.
TEST(VulkanSinusoidal, EqualsTheProcessorsKernelWhateverTheEncodingSays) {
  const watched_device device;
  std::mt19937_64 random(26);
  const auto below = [&](std::uint64_t limit) { return static_cast<int>(random() % limit); };
  for (int i = 0; i < 40; ++i) {
    const int width = i % 2 == 0 ? 4 * (2 + below(20)) : 5 + below(60);
    const int added = i % 4 < 2 ? 4 * (1 + below(static_cast<std::uint64_t>(width / 4))) : 2 * (1 + below(2));
    const resolved_sinusoidal resolved({.d_model = added});
    ropewalk_row_addition encoding = resolved.view();
    encoding.width = width;
    encoding.pairing = below(2);
    encoding.cosine_first = below(2);
    encoding.row_offset = i % 3 == 0 ? 0 : i % 3 == 1 ? 1 + below(9) : last_position - below(3);
    const planned on_device(sinusoidal_kernel(), encoding), truth(addition_kernels()[0], encoding);
    ASSERT_EQ(on_device.status, ROPEWALK_OK) << on_device.error.text;
    rotation_case rotation = shape(ROPEWALK_F32, width, 0, 1);
    for (int call = 0; call < 3; ++call) {
      rotation.dtype = dtypes[below(3)];
      rotation.query_heads = 1 + below(35);
      if (call != 1) {
        rotation.positions = {first_position, last_position, -1, 0, -below(9), below(100000)};
        rotation.tokens = 1 + below(6);
        rotation.positions.resize(static_cast<std::size_t>(rotation.tokens));
      }
      const tensors in = random_tensors(rotation, random);
      laid_out out(rotation, in), expected(rotation, in);
      ASSERT_EQ(on_device.apply(call_for(encoding, out)), ROPEWALK_OK) << on_device.error.text;
      ASSERT_EQ(truth.apply(call_for(encoding, expected)), ROPEWALK_OK) << truth.error.text;
      EXPECT_EQ(first_difference(rotation.dtype, out.read().query, expected.read().query), -1)
          << i << ' ' << call << ' ' << width << ' ' << added;
    }
  }
}

/// More heads than the iterations that a driver may allow one loop.
TEST(VulkanAdditions, EqualTheMirrorWithManyHeads) {
  const watched_device device;
  for (const int width : {4, 3}) {
    rotation_case rotation = shape(ROPEWALK_BF16, width, 1, 70000);
    rotation.positions = {7};
    expect_canonical({.d_model = width, .odd = odd_width::zero}, rotation);
    rotation = shape(ROPEWALK_F32, width, 2, most_bias_heads);
    rotation.positions = {5, -2000000000};
    std::mt19937_64 random(27);
    std::vector<ropewalk_real> slopes(most_bias_heads);
    for (ropewalk_real& slope : slopes) {
      for (std::uint32_t& word : slope.significand) word = static_cast<std::uint32_t>(random());
      slope.significand[7] |= 0x80000000u;
      slope.exponent = -356 + static_cast<std::int32_t>(random() % 201);
    }
    ropewalk_bias_addition encoding = empty_encoding<add_bias>();
    encoding.heads = most_bias_heads;
    encoding.slopes = slopes.data();
    const planned on_device(alibi_kernel(), encoding), truth(addition_kernels()[1], encoding);
    const tensors in = random_tensors(rotation, random);
    laid_out out(rotation, in), expected(rotation, in);
    ASSERT_EQ(on_device.apply(call_for(encoding, out)), ROPEWALK_OK) << on_device.error.text;
    ASSERT_EQ(truth.apply(call_for(encoding, expected)), ROPEWALK_OK) << truth.error.text;
    EXPECT_EQ(first_difference(rotation.dtype, out.read().query, expected.read().query), -1) << width;
  }
}

/// Products at and near rounding midpoints of binary32; the largest and smallest slopes, whose products
/// overflow or do not.
TEST(VulkanAlibi, SlopesRoundOnce) {
  const watched_device device;
  constexpr std::size_t tokens = 20, keys = 70;
  std::mt19937_64 random(8);
  for (int i = 0; i < 60; ++i) {
    const double slope = i == 0   ? 0x1.fp99
                         : i == 1 ? 0x1p-101
                         : i < 30 ? 0x1.555556p-8 + static_cast<double>(i) * 0x1p-60
                         : i < 40 ? 0x1.000001p0 + static_cast<double>(i % 10) * 0x1p-23
                                  : 0x1p-8 + static_cast<double>(random() >> 12) * 0x1p-60;
    const ropewalk_real real = exact_real(slope);
    const ropewalk_bias_addition encoding = one_head(real);
    const bias_plan truth(encoding);
    std::vector<float> scores(tokens * keys, 0.0f);
    std::vector<std::int32_t> positions(tokens);
    for (std::size_t token = 0; token < tokens; ++token)
      positions[token] =
          token % 2 == 0 ? static_cast<std::int32_t>(token) : static_cast<std::int32_t>(random() >> 32);
    ropewalk_bias_call call = in_place({scores.data(), ROPEWALK_F32, 3, {tokens, 1, keys}, {keys, keys, 1}});
    call.tokens.positions = given_positions(positions.data());
    const planned plan(alibi_kernel(), encoding);
    ASSERT_EQ(plan.apply(call), ROPEWALK_OK) << plan.error.text;
    for (std::size_t query = 0; query < tokens; ++query)
      for (std::size_t key = 0; key < keys; ++key) {
        const auto entry =
            truth.entry<float>(0, truth.reach(static_cast<std::int64_t>(key) - positions[query]));
        ASSERT_EQ(to_bits(scores[query * keys + key]), add_entry<float>(0, entry))
            << slope << ' ' << positions[query] << ' ' << key;
      }
  }
}

/// 2^-1 + 2^-25 is a rounding midpoint of binary32. The slope is larger by 2^-224, which its high 128 bits do
/// not show.
TEST(VulkanAlibi, SaysWhichSlopeDoesNotDecide) {
  const watched_device device;
  ropewalk_real slopes[2] = {exact_real(0.25), exact_real(0x1p-1 + 0x1p-25)};
  slopes[1].significand[1] = 1;
  ropewalk_bias_addition encoding = empty_encoding<add_bias>();
  encoding.heads = 2;
  encoding.slopes = slopes;
  const planned plan(alibi_kernel(), encoding);
  ASSERT_EQ(plan.status, ROPEWALK_OK) << plan.error.text;
  float scores[2] = {3, 4};
  const std::int32_t position = 1;
  ropewalk_bias_call call = in_place({scores, ROPEWALK_F32, 3, {1, 2, 1}, {2, 1, 1}});
  call.tokens.positions = given_positions(&position);
  EXPECT_EQ(plan.apply(call), ROPEWALK_UNDECIDED);
  EXPECT_STREQ(plan.error.field, "slopes[1]");
  EXPECT_EQ(scores[0], 3);
  EXPECT_EQ(scores[1], 4);
}

TEST(VulkanAdditions, DeclineBinary64AndAnswerBadCalls) {
  const watched_device device;
  std::mt19937_64 random(15);
  const auto answered = [&](const ropewalk_kernel& kernel, const auto& resolved,
                            const rotation_case& rotation, ropewalk_status status, const char* field) {
    laid_out memory(rotation, random_tensors(rotation, random));
    const tensors before = memory.read();
    const planned plan(kernel, resolved.view());
    EXPECT_EQ(plan.apply(call_for(resolved.view(), memory)), status);
    EXPECT_STREQ(plan.error.field, field);
    EXPECT_EQ(memory.read(), before);
  };
  const resolved_sinusoidal rows({.d_model = 8});
  const resolved_alibi biases({.heads = 3});
  answered(sinusoidal_kernel(), rows, shape(ROPEWALK_F64, 8, 2, 1), ROPEWALK_UNSUPPORTED, "in.dtype");
  answered(alibi_kernel(), biases, shape(ROPEWALK_F64, 8, 2, 3), ROPEWALK_UNSUPPORTED, "scores_in.dtype");
  answered(sinusoidal_kernel(), rows, shape(ROPEWALK_F32, 7, 2, 1), ROPEWALK_INVALID_ARGUMENT, "in.shape[3]");
  answered(alibi_kernel(), biases, shape(ROPEWALK_F32, 8, 2, 2), ROPEWALK_INVALID_ARGUMENT,
           "scores_in.shape[2]");
}

}  // namespace
}  // namespace ropewalk::test
