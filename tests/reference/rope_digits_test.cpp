// Rotary numbers in decimal: rational ones exactly, all others decided by both ends of an enclosure.

#include "ropewalk/reference/rope_digits.hpp"

#include <gtest/gtest.h>
#include <mpfr.h>

#include <cstdlib>
#include <stdexcept>
#include <string>

#include "oracle/models.hpp"
#include "oracle/mpfr_number.hpp"

namespace ropewalk::reference {
namespace {

TEST(RopeDigits, RationalFrequenciesAreExact) {
  EXPECT_EQ(rope_inv_freq_digits(0, oracle::llama_2, 3), "1.00e+00");
  EXPECT_EQ(rope_inv_freq_digits(16, oracle::llama_2, 300), "1." + std::string(299, '0') + "e-01");
  const rope powers_of_two{.base = 65536, .rotary_dim = 32};
  EXPECT_EQ(rope_inv_freq_digits(3, powers_of_two, 2), "1.2e-01");  // 1/8 is a tie
  EXPECT_EQ(rope_inv_freq_digits(4, powers_of_two, 2), "6.2e-02");
}

TEST(RopeDigits, ScaledRationalFrequenciesAreExact) {
  EXPECT_EQ(
      rope_inv_freq_digits(0, rope{.base = 10000, .rotary_dim = 128, .scaling = linear{.factor = 8}}, 2),
      "1.2e-01");
  // A ramp 7 pairs wide and factor 512: the frequency of pair 4 is 2^-4 x 439/512.
  const rope ramp{.base = 65536,
                  .rotary_dim = 32,
                  .scaling = yarn{.factor = 512, .original_max_position_embeddings = 4096, .beta_fast = 64}};
  EXPECT_EQ(*rope_exact_inv_freq(4, ramp), rational(439, 8192));
  EXPECT_EQ(*rope_exact_inv_freq(3, ramp), rational(1, 8));
  EXPECT_EQ(*rope_exact_inv_freq(10, ramp), rational(1, 512 * 1024));
  EXPECT_EQ(*rope_exact_inv_freq(16 - 1, ramp), rational(1, 512 * 32768));
}

TEST(RopeDigits, AnUntruncatedRampClampedAtBothEndsIsExact) {
  const rope ramp{
      .base = 65536,
      .rotary_dim = 8,
      .scaling = yarn{
          .factor = 512, .original_max_position_embeddings = 100, .beta_slow = 0x1p-40, .truncate = false}};
  EXPECT_EQ(*rope_exact_inv_freq(1, ramp), rational(439, 8192));
  EXPECT_EQ(rope_inv_freq_digits(1, ramp, 12), "5.35888671875e-02");
}

TEST(RopeDigits, IrrationalFrequenciesAreNotCalledRational) {
  EXPECT_FALSE(rope_exact_inv_freq(1, oracle::llama_2));
  EXPECT_TRUE(rope_exact_inv_freq(16, oracle::llama_2));
  EXPECT_FALSE(rope_exact_inv_freq(9, oracle::gpt_oss));
  EXPECT_FALSE(rope_exact_attention_factor(oracle::qwen_yarn));
  EXPECT_EQ(*rope_exact_attention_factor(oracle::llama_2), 1);
}

TEST(RopeDigits, PowersWithoutScalingAgreeWithMpfr) {
  // 10000^(-2/128) = 10^(-1/16) by MPFR alone.
  oracle::mpfr_number x(4000);
  mpfr_set_ui(x, 10, MPFR_RNDN);
  mpfr_rootn_ui(x, x, 16, MPFR_RNDN);
  mpfr_ui_div(x, 1, x, MPFR_RNDN);
  char text[1200];
  mpfr_snprintf(text, sizeof text, "%.999Re", static_cast<mpfr_srcptr>(x));
  EXPECT_EQ(rope_inv_freq_digits(1, oracle::llama_2, 1000), text);
}

TEST(RopeDigits, CosAndSinAgreeWithMpfr) {
  oracle::mpfr_number angle(4000), cos(4000), sin(4000);
  for (long position : {1L, -1L, 355L, 2147483647L}) {
    mpfr_set_si(angle, position, MPFR_RNDN);
    mpfr_sin_cos(sin, cos, angle, MPFR_RNDN);
    char text[400];
    mpfr_snprintf(text, sizeof text, "%.299Re", static_cast<mpfr_srcptr>(cos));
    EXPECT_EQ(rope_cos_digits(position, 0, oracle::llama_2, 300), text);
    mpfr_snprintf(text, sizeof text, "%.299Re", static_cast<mpfr_srcptr>(sin));
    EXPECT_EQ(rope_sin_digits(position, 0, oracle::llama_2, 300), text);
  }
}

/// The rational number that `text`, which has `digits` significant digits, represents.
rational value_of(std::string text, int digits) {
  const bool negative = text[0] == '-';
  if (negative) text.erase(0, 1);
  const int exponent = std::stoi(text.substr(text.find('e') + 1)) - (digits - 1);
  const detail::whole_number whole(text.substr(0, 1) + text.substr(2, static_cast<std::size_t>(digits) - 1));
  const rational scale(detail::power_of_ten(std::abs(exponent)));
  const rational size = exponent < 0 ? rational(whole / scale) : rational(whole * scale);
  return negative ? rational(-size) : size;
}

TEST(RopeDigits, FewerDigitsAreTheRoundingOfMore) {
  for (const oracle::model& model : oracle::models) {
    const rational cos = value_of(rope_cos_digits(12345, 3, model.config, 60), 60);
    EXPECT_EQ(rope_cos_digits(12345, 3, model.config, 20), decimal_digits(cos, 20)) << model.name;
    const rational turns = value_of(rope_turns_digits(3, model.config, 1000), 1000);
    EXPECT_EQ(rope_turns_digits(3, model.config, 60), decimal_digits(turns, 60)) << model.name;
  }
}

TEST(RopeDigits, TinyPositionsKeepAllDigits) {
  // sin(2^-1074) differs from 2^-1074 by 2^-3224 / 6.
  EXPECT_EQ(rope_sin_digits(0x1p-1074, 0, oracle::llama_2, 17), "4.9406564584124654e-324");
  EXPECT_EQ(rope_cos_digits(0x1p-1074, 0, oracle::llama_2, 17), "1.0000000000000000e+00");
}

TEST(RopeDigits, PositionZero) {
  EXPECT_EQ(rope_cos_digits(0, 5, oracle::llama_2, 5), "1.0000e+00");
  EXPECT_EQ(rope_sin_digits(0, 5, oracle::llama_2, 5), "0");
  EXPECT_EQ(rope_cos_digits(0, 5, oracle::qwen_yarn, 20),
            rope_attention_factor_digits(oracle::qwen_yarn, 20));
  EXPECT_EQ(rope_attention_factor_digits(oracle::qwen_yarn, 17), "1.1386294361119891e+00");  // 0.1 ln 4 + 1
}

TEST(RopeDigits, RefusesBadNumbersOfDigits) {
  EXPECT_THROW(rope_turns_digits(1, oracle::llama_2, 0), std::invalid_argument);
  EXPECT_THROW(rope_cos_digits(1, 1, oracle::llama_2, 1001), std::invalid_argument);
}

}  // namespace
}  // namespace ropewalk::reference
