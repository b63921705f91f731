// Decimal digits of rational numbers.

#include "ropewalk/reference/decimal.hpp"

#include <gtest/gtest.h>

#include <stdexcept>

namespace ropewalk::reference {
namespace {

using boost::multiprecision::cpp_rational;

TEST(Decimal, WritesOneDigitBeforeThePoint) {
  EXPECT_EQ(decimal_digits(1, 1), "1e+00");
  EXPECT_EQ(decimal_digits(1, 4), "1.000e+00");
  EXPECT_EQ(decimal_digits(cpp_rational(-1, 16), 3), "-6.25e-02");
  EXPECT_EQ(decimal_digits(12345, 5), "1.2345e+04");
  EXPECT_EQ(decimal_digits(0, 7), "0");
}

TEST(Decimal, TiesGoToEven) {
  EXPECT_EQ(decimal_digits(cpp_rational(1, 8), 2), "1.2e-01");
  EXPECT_EQ(decimal_digits(cpp_rational(3, 8), 2), "3.8e-01");
  EXPECT_EQ(decimal_digits(cpp_rational(-5, 2), 1), "-2e+00");
  EXPECT_EQ(decimal_digits(cpp_rational(125001, 1000000), 2), "1.3e-01");
}

TEST(Decimal, RoundingUpMayReachTheNextPowerOfTen) {
  EXPECT_EQ(decimal_digits(cpp_rational(9996, 1000), 3), "1.00e+01");
  EXPECT_EQ(decimal_digits(cpp_rational(95, 1000), 1), "1e-01");  // a tie: 9 is odd
}

TEST(Decimal, PowersOfTenAndTheirNeighbours) {
  for (int exponent = 1; exponent <= 400; exponent += 57) {
    const detail::cpp_int power = detail::power_of_ten(exponent);
    const std::string text = std::to_string(exponent);
    EXPECT_EQ(decimal_digits(power, 2), "1.0e+" + (exponent < 10 ? "0" + text : text));
    EXPECT_EQ(decimal_digits(cpp_rational(1, power), 2), "1.0e-" + (exponent < 10 ? "0" + text : text));
    EXPECT_EQ(decimal_digits(power - 1, exponent).substr(0, 1), "9");
  }
}

TEST(Decimal, OneThirdHasAsManyThreesAsWanted) {
  EXPECT_EQ(decimal_digits(cpp_rational(1, 3), 1000), "3." + std::string(999, '3') + "e-01");
}

TEST(Decimal, RefusesNoDigitsAndTooMany) {
  EXPECT_THROW(decimal_digits(1, 0), std::invalid_argument);
  EXPECT_THROW(decimal_digits(1, 1001), std::invalid_argument);
}

}  // namespace
}  // namespace ropewalk::reference
