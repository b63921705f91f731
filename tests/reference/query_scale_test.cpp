// The scale of queries in the reference: literal values that are right to the last place.

#include "ropewalk/reference/query_scale.hpp"

#include <gtest/gtest.h>

#include <stdexcept>

namespace ropewalk::reference {
namespace {

using narrow = boost::multiprecision::number<
    boost::multiprecision::cpp_bin_float<64, boost::multiprecision::digit_base_2>,
    boost::multiprecision::et_off>;
using wide = boost::multiprecision::cpp_bin_float_100;

TEST(QueryScaleReference, ValuesAreTheFormula) {
  EXPECT_EQ(query_scale_value<wide>(8190, {.strength = 0.25, .length = 8192, .shift = 1}), 1);
  const wide four = query_scale_value<wide>(8191 + 2 * 8192, {.strength = 0.25, .length = 8192, .shift = 1});
  EXPECT_LT(abs(four - (1 + log(wide(4)) / 4)), ldexp(wide(1), -300));
}

TEST(QueryScaleReference, IsGoodToTheLastPlace) {
  for (const double strength : {0.1, 0x1p-200, 3e5})
    for (const std::int64_t position : {8191L, 131071L, 2147483647L}) {
      const query_scale config{.strength = strength, .length = 1000, .shift = 1};
      const wide exact = query_scale_value<wide>(position, config);
      EXPECT_LT(abs(wide(query_scale_value<narrow>(position, config)) - exact), ldexp(exact, -64))
          << position;
    }
}

TEST(QueryScaleReference, RefusesWhatTheConfigurationDoesNotHold) {
  EXPECT_THROW(query_scale_value<wide>(-1, {.strength = 1}), std::invalid_argument);
  EXPECT_THROW(query_scale_value<wide>(0, {.strength = -1}), std::invalid_argument);
}

}  // namespace
}  // namespace ropewalk::reference
