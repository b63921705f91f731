// ALiBi in numbers of any precision: known values, and agreement between precisions.

#include "ropewalk/reference/alibi.hpp"

#include <gtest/gtest.h>

#include <stdexcept>

#include <boost/multiprecision/cpp_bin_float.hpp>

#include "ropewalk/reference/alibi_digits.hpp"
#include "ropewalk/reference/rational.hpp"

namespace ropewalk::reference {
namespace {

using boost::multiprecision::cpp_bin_float_100;
using boost::multiprecision::cpp_bin_float_50;

TEST(ReferenceAlibi, SlopesThatArePowersOfTwoAreExact) {
  for (int head = 0; head < 8; ++head) {
    EXPECT_EQ(alibi_slope<cpp_bin_float_50>(head, {.heads = 8}), ldexp(cpp_bin_float_50(1), -head - 1));
    EXPECT_EQ(alibi_slope<cpp_bin_float_50>(head, {.heads = 12}), ldexp(cpp_bin_float_50(1), -head - 1));
  }
  EXPECT_EQ(alibi_slope<cpp_bin_float_50>(0, {.heads = 1}), cpp_bin_float_50(0x1p-8));
  EXPECT_EQ(alibi_slope<cpp_bin_float_50>(2, {.heads = 3}), cpp_bin_float_50(0x1p-2));
}

TEST(ReferenceAlibi, FurtherHeadsOfTwelveAreOddPowersOfTheRootOfAHalf) {
  const cpp_bin_float_50 root = sqrt(cpp_bin_float_50(0.5));
  for (int k = 0; k < 4; ++k) EXPECT_EQ(alibi_slope<cpp_bin_float_50>(8 + k, {.heads = 12}), ldexp(root, -k));
}

TEST(ReferenceAlibi, PrecisionsAgree) {
  for (const int heads : {3, 40, 112, 1000, 65536})
    for (int head = 0; head < heads; head += 1 + heads / 50)
      EXPECT_EQ(alibi_slope<cpp_bin_float_50>(head, {.heads = heads}),
                static_cast<cpp_bin_float_50>(alibi_slope<cpp_bin_float_100>(head, {.heads = heads})))
          << head << " of " << heads;
}

TEST(ReferenceAlibi, BiasIsTheSlopeTimesTheDistance) {
  const alibi causal{.heads = 12}, symmetric{.heads = 12, .form = alibi_form::symmetric};
  EXPECT_EQ(alibi_bias<cpp_bin_float_50>(0, 10, 3, causal), cpp_bin_float_50(-3.5));
  EXPECT_EQ(alibi_bias<cpp_bin_float_50>(0, 3, 10, causal), cpp_bin_float_50(3.5));
  EXPECT_EQ(alibi_bias<cpp_bin_float_50>(0, 3, 10, symmetric), cpp_bin_float_50(-3.5));
  EXPECT_EQ(alibi_bias<cpp_bin_float_50>(8, 9, 7, symmetric), -sqrt(cpp_bin_float_50(2)));
  const alibi bloom{.heads = 12, .form = alibi_form::key}, mpt{.heads = 12, .form = alibi_form::last_key};
  EXPECT_EQ(alibi_bias<cpp_bin_float_50>(0, 10, 3, bloom), cpp_bin_float_50(1.5));
  EXPECT_EQ(alibi_bias<cpp_bin_float_50>(0, 10, 3, mpt, 11), cpp_bin_float_50(-3.5));
  EXPECT_THROW(alibi_bias<cpp_bin_float_50>(0, 10, 3, mpt), std::invalid_argument);
}

TEST(ReferenceAlibi, ExactSlopesAreThoseWithAWholeExponent) {
  for (const int heads : {1, 2, 3, 8, 12, 40, 112})
    for (int head = 0; head < heads; ++head) {
      const auto exact = alibi_exact_slope(head, {.heads = heads});
      const cpp_bin_float_50 exponent =
          -log(alibi_slope<cpp_bin_float_50>(head, {.heads = heads})) / log(cpp_bin_float_50(2));
      const int whole = cpp_bin_float_50(round(exponent)).convert_to<int>();
      const bool is_power =
          alibi_slope<cpp_bin_float_50>(head, {.heads = heads}) == ldexp(cpp_bin_float_50(1), -whole);
      ASSERT_EQ(exact.has_value(), is_power) << head << " of " << heads;
      if (exact) {
        EXPECT_EQ(*exact, detail::power_of_two(-whole)) << head << " of " << heads;
      }
    }
}

TEST(ReferenceAlibi, HasDigits) {
  EXPECT_EQ(alibi_slope_digits(7, {.heads = 8}, 9), "3.90625000e-03");
  EXPECT_EQ(alibi_slope_digits(8, {.heads = 12}, 30), "7.07106781186547524400844362105e-01");
  EXPECT_EQ(alibi_bias_digits(0, 0, 2049, {.heads = 8}, 4), "1.024e+03");  // 1024.5, a tie
  EXPECT_EQ(alibi_bias_digits(0, 0, 2049, {.heads = 8, .form = alibi_form::symmetric}, 5), "-1.0245e+03");
  EXPECT_EQ(alibi_bias_digits(8, 7, 5, {.heads = 12}, 20), "-1.4142135623730950488e+00");
  EXPECT_EQ(alibi_bias_digits(8, 7, 7, {.heads = 12}, 20), "0");
  EXPECT_EQ(alibi_bias_digits(8, 7, 2, {.heads = 12, .form = alibi_form::key}, 20),
            "1.4142135623730950488e+00");
  EXPECT_EQ(alibi_bias_digits(8, 7, 5, {.heads = 12, .form = alibi_form::last_key}, 20, 8),
            "-1.4142135623730950488e+00");
  EXPECT_EQ(alibi_bias_digits(8, 3, 7, {.heads = 12, .form = alibi_form::last_key}, 20, 8), "0");
  EXPECT_THROW(alibi_slope_digits(8, {.heads = 8}, 5), std::invalid_argument);
  EXPECT_THROW(alibi_slope_digits(0, {.heads = 8}, 0), std::invalid_argument);
}

TEST(ReferenceAlibi, WhatIsNoConfigurationIsRefused) {
  EXPECT_THROW(alibi_slope<cpp_bin_float_50>(0, {.heads = 0}), std::invalid_argument);
  EXPECT_THROW(alibi_slope<cpp_bin_float_50>(8, {.heads = 8}), std::invalid_argument);
  EXPECT_THROW(alibi_bias<cpp_bin_float_50>(-1, 0, 0, {.heads = 8}), std::invalid_argument);
}

}  // namespace
}  // namespace ropewalk::reference
