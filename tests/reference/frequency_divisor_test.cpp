// Divisors of frequencies in numbers of any precision: exact where the rule states the divisor, and
// everywhere the quotient of the two frequencies.

#include "ropewalk/reference/frequency_divisor.hpp"

#include <gtest/gtest.h>

#include <limits>
#include <optional>
#include <stdexcept>
#include <string>

#include <boost/multiprecision/cpp_bin_float.hpp>

#include "oracle/models.hpp"
#include "ropewalk/reference/frequency_divisor_digits.hpp"

namespace ropewalk::reference {
namespace {

using boost::multiprecision::cpp_bin_float_50;

TEST(ReferenceFrequencyDivisor, IsTheQuotientOfBothFrequencies) {
  for (const oracle::model& model : oracle::models) {
    const rope plain{.base = model.config.base, .rotary_dim = model.config.rotary_dim};
    for (int pair = 0; pair < pair_count(plain); pair += 3) {
      if (stands_still(pair, model.config)) continue;
      const auto quotient = cpp_bin_float_50(rope_inv_freq<cpp_bin_float_50>(pair, plain) /
                                             rope_inv_freq<cpp_bin_float_50>(pair, model.config));
      const auto divisor = rope_frequency_divisor<cpp_bin_float_50>(pair, model.config);
      // Half an ulp each: two frequencies, their quotient, and the divisor. An ulp is at most epsilon x size.
      const cpp_bin_float_50 bound = 2 * std::numeric_limits<cpp_bin_float_50>::epsilon() * divisor;
      EXPECT_LE(abs(cpp_bin_float_50(quotient - divisor)), bound) << model.name << ", pair " << pair;
    }
  }
}

TEST(ReferenceFrequencyDivisor, IsRationalOutsideARamp) {
  EXPECT_EQ(rope_exact_frequency_divisor(0, oracle::llama_31), rational(1));
  EXPECT_EQ(rope_exact_frequency_divisor(63, oracle::llama_31), rational(8));
  EXPECT_EQ(rope_exact_frequency_divisor(63, oracle::qwen_yarn), rational(4));
  EXPECT_EQ(rope_exact_frequency_divisor(5, rope{.base = 10000, .rotary_dim = 64, .scaling = ntk{2}}),
            std::nullopt);
  EXPECT_EQ(rope_exact_frequency_divisor(31, rope{.base = 10000, .rotary_dim = 64, .scaling = ntk{2}}),
            rational(2));
}

TEST(ReferenceFrequencyDivisor, HasDigits) {
  EXPECT_EQ(rope_frequency_divisor_digits(63, oracle::llama_31, 3), "8.00e+00");
  // 2^(5/31), by mpmath with 300 bits.
  EXPECT_EQ(rope_frequency_divisor_digits(5, rope{.base = 10000, .rotary_dim = 64, .scaling = ntk{2}}, 30),
            "1.11828686821163507049592855472e+00");
}

TEST(ReferenceFrequencyDivisor, OfAPairThatStandsStillIsNone) {
  const rope config{.base = 1000000, .rotary_dim = 8, .scaling = proportional{.live_pairs = 2}};
  EXPECT_EQ(rope_frequency_divisor_digits(2, config, 5), std::nullopt);
  EXPECT_THROW(rope_frequency_divisor<cpp_bin_float_50>(2, config), std::invalid_argument);
  EXPECT_THROW(rope_exact_frequency_divisor(3, config), std::invalid_argument);
}

}  // namespace
}  // namespace ropewalk::reference
