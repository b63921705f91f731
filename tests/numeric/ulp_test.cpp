#include "ropewalk/numeric/ulp.hpp"

#include <gtest/gtest.h>

#include "ropewalk/numeric/upper_binary64.hpp"

namespace ropewalk {
namespace {

TEST(Ulp, NeighboursAreOneApartAcrossPowersOfTwoAndZero) {
  EXPECT_EQ(ulp_distance<float>(to_bits(1.0f), to_bits(1.0f) - 1), 1u);
  EXPECT_EQ(ulp_distance<float>(0x00000001, 0x80000001), 2u);
  EXPECT_EQ(ulp_distance<float>(0x00000000, 0x80000000), 0u);
  EXPECT_EQ(ulp_distance<double>(format<double>::infinity, format<double>::infinity - 1), 1u);
}

TEST(Ulp, LargestDistanceDoesNotOverflow) {
  EXPECT_EQ(
      ulp_distance<double>(format<double>::infinity, format<double>::infinity | format<double>::sign_bit),
      2 * format<double>::infinity);
}

TEST(Ulp, NansEqualEachOtherAndNothingElse) {
  EXPECT_EQ(ulp_distance<binary16>(0x7e00, 0xfe01), 0u);
  EXPECT_EQ(ulp_distance<binary16>(0x7e00, 0x7c00), ~std::uint64_t{0});
}

TEST(Ulp, NansAreTheSameAsNansAlone) {
  EXPECT_TRUE(same_bits<binary16>(0x7e00, 0xfe01));
  EXPECT_FALSE(same_bits<binary16>(0x7e00, 0x3c00));
  EXPECT_FALSE(same_bits<binary16>(0x3c00, 0x7e00));
  EXPECT_FALSE(same_bits<binary16>(0x0000, 0x8000));
  EXPECT_FALSE(same_bits<binary16>(0x7c00, 0x7e00));
}

TEST(UpperBinary64, IsTheLeastBinary64NotBelow) {
  EXPECT_EQ(upper_binary64(radius{3, -10}), 0x3p-10);
  EXPECT_EQ(upper_binary64(radius{3, -1074}), 0x3p-1074);
  EXPECT_EQ(upper_binary64(radius{3, -1075}), 0x2p-1074);
  EXPECT_EQ(upper_binary64(radius{4, -1076}), 0x1p-1074);
  EXPECT_EQ(upper_binary64(radius{0xffffffff, -1106}), 0x1p-1074);
  EXPECT_EQ(upper_binary64(radius{0x80000000, -2000}), 0x1p-1074);
  EXPECT_EQ(upper_binary64(radius{}), 0);
}

}  // namespace
}  // namespace ropewalk
