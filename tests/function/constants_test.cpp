// pi, 1 / (2 pi) and ln 2 against MPFR.

#include "ropewalk/function/constants.hpp"

#include <gtest/gtest.h>

#include "oracle/random_enclosure.hpp"

namespace ropewalk {
namespace {

using oracle::directed;

constexpr int constant_spare_bits = 4;

template <class Count>
class Constants : public testing::Test {};
TYPED_TEST_SUITE(Constants, oracle::limb_counts);

TYPED_TEST(Constants, PiContainsTheTruthTightly) {
  constexpr int n = TypeParam::value;
  EXPECT_TRUE(oracle::contains(pi<n>(), directed(64 * n + 64, mpfr_const_pi)));
  EXPECT_LE(oracle::relative_error_exponent(pi<n>()), constant_spare_bits - 64 * n);
}

TYPED_TEST(Constants, Ln2ContainsTheTruthTightly) {
  constexpr int n = TypeParam::value;
  EXPECT_TRUE(oracle::contains(ln_2<n>(), directed(64 * n + 64, mpfr_const_log2)));
  EXPECT_LE(oracle::relative_error_exponent(ln_2<n>()), constant_spare_bits - 64 * n);
}

TYPED_TEST(Constants, InverseTwoPiContainsTheTruthTightly) {
  constexpr int n = TypeParam::value;
  const auto truth = directed(64 * n + 64, [](mpfr_ptr result, mpfr_rnd_t direction) {
    oracle::mpfr_number two_pi(64 * n + 128);
    mpfr_const_pi(two_pi, direction == MPFR_RNDD ? MPFR_RNDU : MPFR_RNDD);
    mpfr_mul_2ui(two_pi, two_pi, 1, MPFR_RNDN);
    mpfr_ui_div(result, 1, two_pi, direction);
  });
  EXPECT_TRUE(oracle::contains(inverse_two_pi<n>(), truth));
  EXPECT_LE(oracle::relative_error_exponent(inverse_two_pi<n>()), constant_spare_bits - 64 * n);
}

}  // namespace
}  // namespace ropewalk
