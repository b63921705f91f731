// Decimal digits of sinusoids and of index codes.

#include <gtest/gtest.h>

#include <stdexcept>

#include "ropewalk/reference/index_code_digits.hpp"
#include "ropewalk/reference/sinusoidal_digits.hpp"

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

}  // namespace
}  // namespace ropewalk::reference
