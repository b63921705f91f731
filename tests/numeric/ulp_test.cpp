#include "ropewalk/numeric/ulp.hpp"

#include <gtest/gtest.h>

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

}  // namespace
}  // namespace ropewalk
