// The mirror, which defines the canonical rotation.

#include "ropewalk/kernel/rotation.hpp"

#include <gtest/gtest.h>

#include <limits>

namespace ropewalk {
namespace {

constexpr std::uint32_t one_bits = to_bits(1.0f);
constexpr std::uint32_t half = to_bits(0.5f);
constexpr std::uint32_t largest = to_bits(std::numeric_limits<float>::max());
constexpr std::uint32_t infinity = format<float>::infinity;
constexpr std::uint32_t nan = format<float>::quiet_nan;
constexpr std::uint32_t minus = format<float>::sign_bit;

using pair32 = bits_pair<float>;

static_assert(rotate_pair<float>({one_bits, half}, {one_bits, 0}) == pair32{one_bits, half},
              "position 0 is the identity");
static_assert(rotate_pair<float>({one_bits, half}, {0, one_bits}) == pair32{half | minus, one_bits},
              "a quarter turn: (-x1, x0)");
static_assert(rotate_pair<float>({one_bits, half}, backward<float>({0, one_bits})) ==
              pair32{half, one_bits | minus});
static_assert(rotate_pair<float>({minus, minus}, {one_bits, 0}) == pair32{0, minus},
              "-0 may change its sign: -0 - -0 is +0");
static_assert(rotate_pair<float>({minus, minus}, backward<float>({one_bits, 0})) == pair32{minus, 0},
              "s is -0 backward");
static_assert(rotate_pair<float>({largest, largest}, {one_bits, one_bits}).second == infinity,
              "overflow is constexpr");
static_assert(rotate_pair<float>({infinity, one_bits}, {one_bits, 0}) == pair32{infinity, nan},
              "inf * 0 is NaN");
static_assert(rotate_pair<float>({infinity, infinity}, {half, half}) == pair32{nan, infinity});
static_assert(rotate_pair<float>({0x7fa00001, one_bits}, {half, half}) == pair32{nan, nan});
static_assert(rotate_pair<binary16>({0x0001, 0}, {half, 0}) == bits_pair<binary16>{0, 0},
              "a tie goes to even, once");
static_assert(rotate_pair<bfloat16>({0x7f7f, 0x7f7f}, {one_bits, one_bits}).second ==
              format<bfloat16>::infinity);

// (1 + 2^-12) (1 + 2^-12) loses its last bit when it is rounded and keeps it inside a fused multiply-add.
constexpr std::uint32_t just_above = to_bits(1.0f + 0x1p-12f);
static_assert(rotate_pair<float>({just_above, one_bits}, {just_above, to_bits(1.0f + 0x1p-11f)}).first == 0,
              "no multiplication is fused with the subtraction");

TEST(Rotation, SixteenBitDataIsRoundedOnceAtTheEnd) {
  // 1 x 1 + 2^-8 x 1 is a tie of bfloat16 and goes to even; with 2^-23 more, an ulp of binary32, it goes up.
  const std::uint16_t bf16_one = 0x3f80, small = 0x3b80;
  EXPECT_EQ(rotate_pair<bfloat16>({small, bf16_one}, {one_bits, one_bits}).second, 0x3f80);
  EXPECT_EQ(rotate_pair<bfloat16>({small, bf16_one}, {to_bits(1 + 0x1p-23f), one_bits}).second, 0x3f81);
}

TEST(Rotation, Binary64DataIsRotatedInBinary64) {
  const auto y = rotate_pair<double>({to_bits(1.0), to_bits(0x1p-40)}, {to_bits(1.0), to_bits(1.0)});
  EXPECT_EQ(from_bits<double>(y.first), 1 - 0x1p-40);
  EXPECT_EQ(from_bits<double>(y.second), 1 + 0x1p-40);
}

}  // namespace
}  // namespace ropewalk
