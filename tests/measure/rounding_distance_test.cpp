// How far a format's own rounding takes a point of a circle.

#include "measure/rounding_distance.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace ropewalk::measure {
namespace {

TEST(RoundingDistance, IsHalfAnUlpOfBothCoordinates) {
  EXPECT_DOUBLE_EQ(rounding_distance("f32"), std::sqrt(2.0) * std::ldexp(1.0, -25));
  EXPECT_DOUBLE_EQ(rounding_distance("bf16"), std::sqrt(2.0) * (std::ldexp(1.0, -9) + std::ldexp(1.0, -25)));
  // From 1 on an ulp is twice as large.
  EXPECT_DOUBLE_EQ(rounding_distance("f32", 1.25), 2 * rounding_distance("f32"));
  EXPECT_EQ(rounding_distance("no-dtype"), 0);
}

}  // namespace
}  // namespace ropewalk::measure
