// Decimal digits of sinusoids, of index codes, of xPos and of rotary embeddings on several axes.

#include <gtest/gtest.h>

#include <stdexcept>

#include "ropewalk/reference/index_code_digits.hpp"
#include "ropewalk/reference/query_scale_digits.hpp"
#include "ropewalk/reference/rope_axes_digits.hpp"
#include "ropewalk/reference/sinusoidal_digits.hpp"
#include "ropewalk/reference/xpos_digits.hpp"

namespace ropewalk::reference {
namespace {

TEST(SinusoidalDigits, OfPositionOne) {
  const sinusoidal config{.d_model = 4};
  // sin 1, cos 1, sin 0.01, cos 0.01.
  EXPECT_EQ(sinusoidal_digits(1, 0, config, 30), "8.41470984807896506652502321630e-01");
  EXPECT_EQ(sinusoidal_digits(1, 1, config, 30), "5.40302305868139717400936607443e-01");
  EXPECT_EQ(sinusoidal_digits(1, 2, config, 20), "9.9998333341666646825e-03");
  EXPECT_EQ(sinusoidal_digits(-1, 2, config, 3), "-1.00e-02");
}

TEST(SinusoidalDigits, OfRationalEntries) {
  const sinusoidal plain{.d_model = 4};
  EXPECT_EQ(sinusoidal_digits(0, 0, plain, 5), "0");
  EXPECT_EQ(sinusoidal_digits(0, 1, plain, 5), "1.0000e+00");
  const sinusoidal padded{.d_model = 5, .odd = odd_width::zero, .padding_idx = 2};
  EXPECT_EQ(sinusoidal_digits(-3, 0, padded, 5), "0") << "row 0";
  EXPECT_EQ(sinusoidal_digits(-3, 1, padded, 5), "1.0000e+00") << "row 0";
  EXPECT_EQ(sinusoidal_digits(-1, 1, padded, 5), "0") << "the padding";
  EXPECT_EQ(sinusoidal_digits(7, 4, padded, 5), "0") << "the last channel";
  EXPECT_EQ(sinusoidal_digits(-2, 0, padded, 5), sinusoidal_digits(1, 0, plain, 5)) << "row 1";
}

TEST(SinusoidalDigits, OfTinyAngles) {
  EXPECT_EQ(sinusoidal_digits(1e-300, 0, {.d_model = 2}, 5), "1.0000e-300");
  EXPECT_EQ(sinusoidal_digits(1e-300, 1, {.d_model = 2}, 5), "1.0000e+00");
}

TEST(IndexCodeDigits, OfRationalAndSineCodes) {
  EXPECT_EQ(index_code_digits(1, 0, {.kind = index_code_kind::normalised, .length = 4}, 5), "3.3333e-01");
  EXPECT_EQ(index_code_digits(2, 1, {.kind = index_code_kind::binary, .width = 2}, 2), "1.0e+00");
  EXPECT_EQ(index_code_digits(-12, 0, {}, 2), "-1.2e+01");
  const index_code sines{.kind = index_code_kind::sine_only, .width = 2};
  EXPECT_EQ(sine_only_digits(1, 0, sines, 20), "8.4147098480789650665e-01");
  EXPECT_EQ(sine_only_digits(1, 1, sines, 20), "9.9998333341666646825e-03");
  EXPECT_EQ(sine_only_digits(0, 1, sines, 20), "0");
}

TEST(IndexCodeDigits, AreRefusedAsTheCodesAre) {
  EXPECT_THROW(index_code_digits(4, 0, {.kind = index_code_kind::binary, .width = 2}, 5),
               std::invalid_argument);
  EXPECT_THROW(sinusoidal_digits(1, 4, {.d_model = 4}, 5), std::invalid_argument);
  EXPECT_THROW(sinusoidal_digits(1, 0, {.d_model = 4}, 1001), std::invalid_argument);
}

TEST(XposDigits, OfKnownEntries) {
  const xpos config{.rotary_dim = 4};
  EXPECT_EQ(xpos_cos_digits(1, 0, xpos_side::query, config, 30), "5.38981908776316132441338699163e-01");
  EXPECT_EQ(xpos_sin_digits(1, 0, xpos_side::key, config, 30), "8.43532419195772008063510280780e-01");
  const xpos late{.rotary_dim = 64, .scale_base = 1 << 20};
  EXPECT_EQ(xpos_cos_digits(2147483647, 31, xpos_side::query, late, 20), "-7.8939480956526569450e-21");
}

TEST(XposDigits, OfRationalScales) {
  // z = 2/7 to the power -512 / 512.
  const xpos middle{.rotary_dim = 4, .length = 1024};
  EXPECT_EQ(xpos_cos_digits(0, 0, xpos_side::query, middle, 3), "3.50e+00");
  EXPECT_EQ(xpos_cos_digits(0, 0, xpos_side::query, middle, 1), "4e+00") << "a tie, to even";
  EXPECT_EQ(xpos_cos_digits(0, 0, xpos_side::key, middle, 5), "2.8571e-01");
  EXPECT_EQ(xpos_sin_digits(0, 0, xpos_side::key, middle, 5), "0");
  // z = 9/14 to the power -1/2, which is irrational.
  const xpos irrational{.rotary_dim = 4, .scale_base = 1024, .length = 1024};
  EXPECT_EQ(xpos_cos_digits(0, 1, xpos_side::query, irrational, 20), "1.2472191289246471285e+00");
  // z = 49/64, to the powers -1/2 and 1/2.
  const xpos root{.rotary_dim = 128, .scale_base = 2, .length = 2};
  EXPECT_EQ(xpos_cos_digits(0, 43, xpos_side::key, root, 3), "8.75e-01");
  EXPECT_EQ(xpos_cos_digits(0, 43, xpos_side::key, root, 2), "8.8e-01") << "a tie, to even";
  EXPECT_EQ(xpos_cos_digits(0, 43, xpos_side::query, root, 5), "1.1429e+00");
  // Powers too large to be held as rationals.
  const xpos huge{.rotary_dim = 4, .scale_base = 1, .length = 1 << 20};
  EXPECT_EQ(xpos_cos_digits(0, 0, xpos_side::key, huge, 5), "4.4995e-285249");
}

TEST(QueryScaleDigits, AreOneInTheFirstStepAlone) {
  const query_scale llama_4{.strength = 0.5, .length = 8192, .shift = 1};
  EXPECT_EQ(query_scale_digits(8190, llama_4, 5), "1.0000e+00");
  // 1 + ln(2) / 2 and 1 + ln(16) / 2
  EXPECT_EQ(query_scale_digits(8191, llama_4, 30), "1.34657359027997265470861606073e+00");
  EXPECT_EQ(query_scale_digits(131070, llama_4, 20), "2.3862943611198906188e+00");
  EXPECT_EQ(query_scale_digits(131070, {.strength = 0, .length = 1}, 3), "1.00e+00");
  EXPECT_THROW(query_scale_digits(-1, llama_4, 5), std::invalid_argument);
}

TEST(RopeAxesDigits, OfRowsAndColumns) {
  const rope_axes axes = pixtral(4);
  const rope config{.base = 10000, .rotary_dim = 8};
  EXPECT_EQ(rope_axes_cos_digits({3, 4}, 0, axes, config, 20), "-9.8999249660044545727e-01");
  EXPECT_EQ(rope_axes_sin_digits({3, 4}, 1, axes, config, 20), "2.9995500202495660769e-02");
  EXPECT_EQ(rope_axes_cos_digits({3, 4}, 3, axes, config, 20), "9.9999200001066666098e-01");
  EXPECT_EQ(rope_axes_sin_digits({3, 0}, 3, axes, config, 20), "0");
  EXPECT_THROW(rope_axes_sin_digits({3}, 3, axes, config, 20), std::invalid_argument);
  EXPECT_THROW(rope_axes_sin_digits({3, 4}, 4, axes, config, 20), std::invalid_argument);
}

}  // namespace
}  // namespace ropewalk::reference
