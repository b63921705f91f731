// Correct rounding of enclosures against MPFR: all formats, at every kind of boundary.

#include "ropewalk/numeric/round.hpp"

#include <gtest/gtest.h>

#include <cstdint>

#include "oracle/random_enclosure.hpp"
#include "oracle/rounding.hpp"

namespace ropewalk {
namespace {

using oracle::random_numbers;

constexpr int draws = 3000;

template <class Float>
class Round : public testing::Test {};
using formats = testing::Types<double, float, binary16, bfloat16>;
TYPED_TEST_SUITE(Round, formats);

template <floating_format Float, int N>
bits_of<Float> expected(const enclosure<N>& exact) {
  return oracle::round_to<Float>(static_cast<mpfr_srcptr>(oracle::midpoint_of(exact)));
}

/// A number of the format, or the rounding midpoint above it, formed as an integer multiple of half an ulp.
template <floating_format Float, int N>
enclosure<N> boundary(std::uint64_t bits, bool middle) {
  const decoded parts = decode<Float>(static_cast<bits_of<Float>>(bits));
  const auto halves = static_cast<std::int64_t>(2 * parts.significand + (middle ? 1 : 0));
  return times_power_of_two(enclosure<N>::of(halves), parts.exponent - 1);
}

/// 2^exponent.
template <int N>
constexpr enclosure<N> power_of_two(int exponent) {
  return times_power_of_two(enclosure<N>::of(1), exponent);
}

TYPED_TEST(Round, ExactNumbersOfAnySize) {
  random_numbers random(1);
  using traits = format<TypeParam>;
  for (int i = 0; i < draws; ++i) {
    const auto x = random.exact<4>({traits::smallest_ulp_exponent - 3, traits::largest_exponent + 3, true});
    const auto result = round<TypeParam>(x);
    ASSERT_TRUE(result.decided);
    ASSERT_EQ(result.bits, expected<TypeParam>(x));
  }
}

TYPED_TEST(Round, BoundariesAndTheirNeighbours) {
  random_numbers random(2);
  for (int i = 0; i < draws; ++i) {
    const std::uint64_t bits =
        i < 40 ? static_cast<std::uint64_t>(i) : random.below(format<TypeParam>::infinity);
    for (bool middle : {false, true}) {
      const auto at = boundary<TypeParam, 4>(bits, middle);
      const int unit = decode<TypeParam>(static_cast<bits_of<TypeParam>>(bits)).exponent;
      for (const auto& x : {at, at + power_of_two<4>(unit - 150), at - power_of_two<4>(unit - 150)}) {
        const auto up = round<TypeParam>(x), down = round<TypeParam>(-x);
        ASSERT_TRUE(up.decided && down.decided);
        ASSERT_EQ(up.bits, expected<TypeParam>(x));
        ASSERT_EQ(down.bits, expected<TypeParam>(-x));
      }
    }
  }
}

TYPED_TEST(Round, EnclosuresAcrossABoundaryAreUndecided) {
  random_numbers random(3);
  for (int i = 0; i < draws; ++i) {
    const std::uint64_t bits = random.below(format<TypeParam>::infinity);
    auto x = boundary<TypeParam, 4>(bits, true);
    const int unit = decode<TypeParam>(static_cast<bits_of<TypeParam>>(bits)).exponent;
    x.error = {std::uint32_t{1} << 31, unit - 180};
    EXPECT_FALSE(round<TypeParam>(x).decided);
    EXPECT_FALSE(round<TypeParam>(x + power_of_two<4>(unit - 150)).decided);
    // Farther from the midpoint than the error, all numbers of the enclosure round alike.
    const auto above = x + power_of_two<4>(unit - 140);
    EXPECT_TRUE(round<TypeParam>(above).decided);
    EXPECT_EQ(round<TypeParam>(above).bits, expected<TypeParam>(above));
  }
}

TYPED_TEST(Round, ADecidedEnclosureRoundsAsBothItsEnds) {
  random_numbers random(4);
  using traits = format<TypeParam>;
  int decided = 0;
  for (int i = 0; i < draws; ++i) {
    const auto x = random.inexact<3>({traits::smallest_ulp_exponent - 3, traits::largest_exponent + 3, true});
    const auto result = round<TypeParam>(x);
    if (!result.decided) continue;
    ++decided;
    const auto ends = oracle::round_to<TypeParam>(oracle::bracket_of(x));
    ASSERT_TRUE(ends);
    ASSERT_EQ(result.bits, *ends);
  }
  EXPECT_GT(decided, draws / 2);
}

TYPED_TEST(Round, PowersOfTwoFromTheSmallestToTheLargest) {
  using traits = format<TypeParam>;
  for (int exponent = traits::smallest_ulp_exponent - 2; exponent <= traits::largest_exponent + 2;
       ++exponent) {
    const auto x = power_of_two<2>(exponent);
    ASSERT_EQ(round<TypeParam>(x).bits, expected<TypeParam>(x)) << exponent;
  }
}

TYPED_TEST(Round, NothingIsDecidedOfAnUnboundedNumber) {
  EXPECT_FALSE(round<TypeParam>(unbounded<4>()).decided);
}

TEST(Round, ASmallNumberWhoseSignIsOpenIsUndecided) {
  // Both ends of size +- error round to zero, but with different signs.
  EXPECT_FALSE(round_wide<binary16>(true, 1u << 20, -126, (1u << 20) + 1).decided);
  EXPECT_FALSE(round_wide<binary16>(true, 1u << 20, -126, 1u << 20).decided);
  const rounding<binary16> known = round_wide<binary16>(true, 1u << 20, -126, (1u << 20) - 1);
  EXPECT_TRUE(known.decided);
  EXPECT_EQ(known.bits, 0x8000);
}

TEST(Round, AnErrorThatTouchesAMidpointIsUndecided) {
  const wide_word at_one = wide_word{1} << 100, half_ulp = wide_word{1} << (100 - 24);
  EXPECT_FALSE(round_wide<float>(false, at_one + half_ulp + 1000, -100, 1000).decided);
  EXPECT_FALSE(round_wide<float>(false, at_one + half_ulp - 1000, -100, 1000).decided);
  EXPECT_TRUE(round_wide<float>(false, at_one + half_ulp + 1000, -100, 999).decided);
  EXPECT_EQ(round_wide<float>(false, at_one + half_ulp + 1000, -100, 999).bits, to_bits(1.0f) + 1);
  EXPECT_EQ(round_wide<float>(false, at_one + half_ulp - 1000, -100, 999).bits, to_bits(1.0f));
  // Below 1 an ulp is half of that above it.
  const auto quarter_ulp = static_cast<std::uint64_t>(wide_word{1} << (40 - 25));
  EXPECT_FALSE(round_wide<float>(false, wide_word{1} << 40, -40, quarter_ulp).decided);
  EXPECT_TRUE(round_wide<float>(false, wide_word{1} << 40, -40, quarter_ulp - 1).decided);
}

TEST(Round, SmallestSubnormalAndLargestPowerOfBinary64) {
  EXPECT_EQ(round<double>(power_of_two<2>(-1074)).bits, 1u);
  EXPECT_EQ(round<double>(power_of_two<2>(-1075)).bits, 0u);                          // a tie, to even
  EXPECT_EQ(round<double>(times_power_of_two(enclosure<2>::of(3), -1075)).bits, 2u);  // 1.5: a tie, to even
  EXPECT_EQ(round<double>(power_of_two<2>(1023)).bits, to_bits(0x1p1023));
  EXPECT_EQ(round<double>(power_of_two<2>(1024)).bits, format<double>::infinity);
  EXPECT_EQ(round<double>(enclosure<2>::of(0x1.fffffffffffffp1023)).bits, to_bits(0x1.fffffffffffffp1023));
  EXPECT_EQ(round<double>(enclosure<2>::of(0x1.fffffffffffffp1023) + power_of_two<2>(970)).bits,
            format<double>::infinity);
  EXPECT_EQ(round<float>(power_of_two<2>(-1074)).bits, 0u);
  EXPECT_EQ(round<float>(-power_of_two<2>(1023)).bits, format<float>::infinity | format<float>::sign_bit);
}

TEST(Round, ConstantExpressionsGiveTheSameBits) {
  static_assert(round<double>(power_of_two<2>(-1074)).bits == 1);
  static_assert(round<float>(enclosure<2>::of(1 + 0x1p-24)).bits == 0x3f800000);
  static_assert(round<bfloat16>(enclosure<2>::of(1 + 0x1p-8 + 0x1p-30)).bits == 0x3f81);
}

TEST(Round, ZivsLoopThrowsAtItsCap) {
  const auto always_across = []<int N>() {
    enclosure<N> x = enclosure<N>::of(1 + 0x1p-24);
    x.error = {std::uint32_t{1} << 31, -5000};
    return x;
  };
  EXPECT_THROW(round_with_enough_limbs<float>("a tie", always_across), undecided);
}

}  // namespace
}  // namespace ropewalk
