// Cosines, sines and biases constructed arbitrarily close to binary32 rounding midpoints: each result is
// right, or reported as undecided where the encoding's words do not decide it, never wrong.

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <string>
#include <vector>

#include "gpu/kernel_device.hpp"
#include "gpu/kernels.hpp"
#include "gpu/mpfr_words.hpp"
#include "kernel/addition_case.hpp"
#include "kernel/kernels.hpp"
#include "kernel/rotation_case.hpp"
#include "ropewalk/kernel/bias_plan.hpp"

namespace ropewalk::test {
namespace {

/// One pair whose cosine or sine at `position`, times the factor, is near a rounding midpoint.
struct hard_turn {
  hard_turn(std::mt19937_64& random, int bits) {
    const std::uint64_t far = (random() & 0x7fffffff) >> (random() % 31);
    const auto magnitude = static_cast<std::int32_t>(std::max<std::uint64_t>(1, far));
    position = random() % 2 == 0 ? magnitude : -magnitude;
    const int shift = random() % 2 == 0 ? 0 : static_cast<int>(random() % 64);
    mpfr_number x = near_middle(random, shift, bits);
    if (random() % 3 == 0) {
      factor = 1.0 + static_cast<double>(random() >> 12) * 0x1p-53;
      mpfr_div_d(x, x, factor, MPFR_RNDN);
      factor_real = real_of(mpfr_number(precision, factor));
    }
    (shift > 0 || random() % 2 == 0 ? mpfr_asin : mpfr_acos)(x, x, MPFR_RNDN);
    mpfr_number two_pi(precision);
    mpfr_const_pi(two_pi, MPFR_RNDN);
    mpfr_mul_ui(two_pi, two_pi, 2, MPFR_RNDN);
    mpfr_div(x, x, two_pi, MPFR_RNDN);
    mpfr_add_ui(x, x, random() % static_cast<std::uint64_t>(magnitude), MPFR_RNDN);
    mpfr_div_si(x, x, magnitude, MPFR_RNDN);
    turns = fraction_words(x, 4);
    turns_256 = fraction_words(x, 8);
    mpfr_mul(x, x, two_pi, MPFR_RNDN);
    inv_freq = mpfr_get_d(x, MPFR_RNDN);
  }

  /// The encoding, with turns of 256 bits beside those of 128 if it `is_wide`.
  ropewalk_rotation view(bool is_wide) const {
    ropewalk_rotation view = empty_encoding<rotate>();
    view.head_dim = view.rotary_dim = 2;
    view.axes = 1;
    view.inv_freq = &inv_freq;
    view.turns = turns.data();
    view.turns_256 = is_wide ? turns_256.data() : nullptr;
    view.attention_factor = factor;
    view.attention_real = factor_real;
    return view;
  }

  std::int32_t position = 0;
  double inv_freq = 0, factor = 1;
  ropewalk_real factor_real{};
  std::vector<std::uint32_t> turns, turns_256;
};

/// The vector (1, 0), turned at a position; unchanged if the call fails.
std::vector<float> turned(const planned& plan, std::int32_t position, std::int32_t& status) {
  std::vector<float> elements{1, 0};
  ropewalk_rotation_call call = empty_call<rotate>();
  call.query_in = {elements.data(), ROPEWALK_F32, 3, {1, 1, 2}, {2, 2, 1}};
  call.query_out = call.query_in;
  call.tokens.positions = given_positions(&position);
  call.tokens.end = 1;
  status = plan.apply(call);
  return elements;
}

TEST(HardRoundings, CosinesAndSinesAreRightOrUndecided) {
  vulkan::wish_for({});
  std::mt19937_64 random(31);
  int undecided = 0, wrong = 0;
  for (int i = 0; i < 24000; ++i) {
    const int bits = static_cast<int>(30 + random() % 110);
    const hard_turn turn(random, bits);
    const bool is_wide = i % 2 == 0;
    const planned on_device(vulkan_kernels()[0], turn.view(is_wide)),
        truth(cpu_table_kernel(), turn.view(true));
    if (on_device.status == ROPEWALK_UNSUPPORTED) continue;
    std::int32_t status = 0, true_status = 0;
    const std::vector<float> got = turned(on_device, turn.position, status),
                             wanted = turned(truth, turn.position, true_status);
    ASSERT_EQ(true_status, ROPEWALK_OK) << truth.error.text;
    if (status == ROPEWALK_OK) {
      wrong += got == wanted ? 0 : 1;
      continue;
    }
    ASSERT_FALSE(is_wide);
    ASSERT_EQ(status, ROPEWALK_UNDECIDED);
    EXPECT_STREQ(on_device.error.field, "turns[0]");
    EXPECT_EQ(got, (std::vector<float>{1, 0}));
    ++undecided;
  }
  EXPECT_EQ(wrong, 0);
  EXPECT_GT(undecided, 1000);
}

TEST(HardRoundings, BiasesAreRightOrUndecided) {
  vulkan::wish_for({});
  std::mt19937_64 random(32);
  int undecided = 0, wrong = 0;
  for (int i = 0; i < 12000; ++i) {
    const int bits = static_cast<int>(60 + random() % 90);
    mpfr_number value = near_middle(random, static_cast<int>(random() % 60) - 30, bits);
    const auto distance = static_cast<std::int32_t>(((random() & 0x7fffffff) >> (random() % 31)) | 1);
    mpfr_div_si(value, value, distance, MPFR_RNDN);
    const ropewalk_real slope = real_of(value);
    const ropewalk_bias_addition encoding = one_head(slope);
    const bias_plan truth(encoding);
    const planned plan(vulkan_kernels()[3], encoding);
    // Such a slope is too close to a midpoint of two 128-bit numbers as well.
    if (plan.status == ROPEWALK_UNSUPPORTED) continue;
    float score = 0;
    ropewalk_bias_call call = in_place({&score, ROPEWALK_F32, 3, {1, 1, 1}, {1, 1, 1}});
    call.tokens.positions = given_positions(&distance);
    const std::int32_t status = plan.apply(call);
    if (status == ROPEWALK_OK) {
      wrong += to_bits(score) == truth.entry<float>(0, truth.reach(-distance)) ? 0 : 1;
      continue;
    }
    ASSERT_EQ(status, ROPEWALK_UNDECIDED);
    EXPECT_STREQ(plan.error.field, "slopes[0]");
    ++undecided;
  }
  EXPECT_EQ(wrong, 0);
  EXPECT_GT(undecided, 1000);
}

}  // namespace
}  // namespace ropewalk::test
