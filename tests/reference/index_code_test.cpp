// Index codes of the reference: literal values, and sines that are right to the last place.

#include "ropewalk/reference/index_code.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <stdexcept>

namespace ropewalk::reference {
namespace {

using boost::multiprecision::cpp_rational;
using narrow = boost::multiprecision::number<
    boost::multiprecision::cpp_bin_float<64, boost::multiprecision::digit_base_2>,
    boost::multiprecision::et_off>;
using wide = boost::multiprecision::cpp_bin_float_100;

TEST(IndexCodeReference, ValuesAreTheFormulas) {
  EXPECT_EQ(index_code_value(7, 0, {}), 7);
  EXPECT_EQ(index_code_value(2, 0, {.kind = index_code_kind::normalised, .length = 5}), cpp_rational(1, 2));
  EXPECT_EQ(index_code_value(0, 0, {.kind = index_code_kind::normalised, .length = 1}), 0);
  const index_code three{.kind = index_code_kind::binary, .width = 3};
  EXPECT_EQ(index_code_value(6, 0, three), 0);
  EXPECT_EQ(index_code_value(6, 2, three), 1);
}

TEST(IndexCodeReference, SinesAreGoodToTheLastPlace) {
  const index_code config{.kind = index_code_kind::sine_only, .width = 12};
  for (const double position : {0.0, -3.5, 131071.0, 0x1.8p1000})
    for (const int column : {0, 5, 11}) {
      const wide distance = wide(sine_only_value<narrow>(position, column, config)) -
                            sine_only_value<wide>(position, column, config);
      EXPECT_LT(abs(distance), ldexp(wide(1), -63)) << position << " " << column;
    }
}

TEST(IndexCodeReference, RefusesWhatTheConfigurationDoesNotHold) {
  EXPECT_THROW(index_code_value(0, 1, {}), std::invalid_argument);
  EXPECT_THROW(index_code_value(0, 0, {.kind = index_code_kind::sine_only}), std::invalid_argument);
  EXPECT_THROW(sine_only_value<wide>(HUGE_VAL, 0, {.kind = index_code_kind::sine_only}),
               std::invalid_argument);
}

}  // namespace
}  // namespace ropewalk::reference
