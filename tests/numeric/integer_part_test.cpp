// Floors and ceilings, at whole numbers and beside them.

#include "ropewalk/numeric/integer_part.hpp"

#include <gtest/gtest.h>

namespace ropewalk {
namespace {

using number = enclosure<2>;

/// The number, off by up to 2^exponent.
number with_error(double value, int exponent) {
  number x = number::of(value);
  x.error = radius_at_least(1, exponent);
  return x;
}

TEST(IntegerPart, FloorsGoDownAndCeilingsUp) {
  EXPECT_EQ(floor(number::of(2.5)).value, 2);
  EXPECT_EQ(floor(number::of(-2.5)).value, -3);
  EXPECT_EQ(floor(number::of(-2)).value, -2);
  EXPECT_EQ(floor(number::of(-0.25)).value, -1);
  EXPECT_EQ(floor(number::of(0x1p-200)).value, 0);
  EXPECT_EQ(ceiling(number::of(2.5)).value, 3);
  EXPECT_EQ(ceiling(number::of(-2.5)).value, -2);
  EXPECT_EQ(ceiling(number::of(2)).value, 2);
}

TEST(IntegerPart, IsUndecidedAcrossAWholeNumber) {
  EXPECT_FALSE(floor(with_error(2, -100)).decided);
  EXPECT_FALSE(ceiling(with_error(2, -100)).decided);
  EXPECT_FALSE(floor(with_error(0, -100)).decided);
  EXPECT_TRUE(floor(with_error(2.5, -100)).decided);
  EXPECT_TRUE(floor(number::of(2)).decided);
}

TEST(IntegerPart, IsUndecidedFrom2To62On) {
  EXPECT_EQ(floor(number::of(0x1.fffffffffffffp61)).value, 0x3ffffffffffffe00);
  EXPECT_TRUE(floor(number::of(0x1.fffffffffffffp61)).decided);
  EXPECT_FALSE(floor(number::of(0x1p62)).decided);
  EXPECT_FALSE(floor(number::of(-0x1p70)).decided);
}

TEST(IntegerPart, QuartersLeaveAtMostAnEighth) {
  const auto split = [](double turns) { return split_into_quarters(number::of(turns).midpoint); };
  EXPECT_EQ(split(0.25).quarters, 1);
  EXPECT_EQ(split(-0.25).quarters, 3);
  EXPECT_EQ(split(5.5).quarters, 2);
  EXPECT_EQ(split(0.125).quarters, 1);  // a tie, away from zero
  EXPECT_EQ(split(0.125).rest, number::of(-0.125).midpoint);
  EXPECT_EQ(split(-0.3).quarters, 3);
  EXPECT_EQ(split(-0.375).rest, number::of(0.125).midpoint);
  EXPECT_EQ(split(0x1p90).quarters, 0);
}

}  // namespace
}  // namespace ropewalk
