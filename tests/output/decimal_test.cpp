// Decimals read back to the bits they came from, and are short.

#include "output/decimal.hpp"

#include <gtest/gtest.h>

#include <cstdlib>
#include <random>

namespace ropewalk::output::decimal_test {
namespace {

/// Whether the nearest number of the format to `text`, read as a binary64, has these bits.
template <floating_format Float>
bool reads_back(const std::string& text, bits_of<Float> bits) {
  const double read = std::strtod(text.c_str(), nullptr);
  const double value = to_double<Float>(bits);
  if (std::signbit(read) != std::signbit(value)) return false;
  const auto size = magnitude<Float>(bits);
  const double distance = std::abs(read - value);
  if (size == 0) return distance == 0;
  const double below = to_double<Float>(static_cast<bits_of<Float>>(size - 1));
  const double next = to_double<Float>(static_cast<bits_of<Float>>(size + 1));
  // Beyond the largest number, the spacing continues.
  const double above = std::isinf(next) ? 2 * std::abs(value) - below : next;
  return distance < above - std::abs(read) && distance < std::abs(read) - below;
}

template <floating_format Float>
void every_finite_number_reads_back() {
  for (unsigned bits = 0; bits < 0x10000; ++bits) {
    const auto narrow = static_cast<bits_of<Float>>(bits);
    if (!is_finite<Float>(narrow)) continue;
    ASSERT_TRUE(reads_back<Float>(shortest_decimal<Float>(narrow), narrow)) << bits;
  }
}

TEST(ShortestDecimal, EveryBinary16ReadsBack) { every_finite_number_reads_back<binary16>(); }
TEST(ShortestDecimal, EveryBfloat16ReadsBack) { every_finite_number_reads_back<bfloat16>(); }

TEST(ShortestDecimal, RandomBinary32And64ReadBack) {
  std::mt19937_64 random(20240229);
  for (int i = 0; i < 20000; ++i) {
    const std::uint64_t wide = random();
    const auto narrow = static_cast<std::uint32_t>(wide >> 32);
    if (is_finite<float>(narrow)) {
      ASSERT_TRUE(reads_back<float>(shortest_decimal<float>(narrow), narrow)) << narrow;
      ASSERT_EQ(to_bits(std::strtof(shortest_decimal<float>(narrow).c_str(), nullptr)), narrow);
    }
    if (is_finite<double>(wide)) {
      ASSERT_EQ(to_bits(std::strtod(shortest_decimal<double>(wide).c_str(), nullptr)), wide);
    }
  }
}

TEST(ShortestDecimal, IsShort) {
  EXPECT_EQ(shortest_decimal<float>(to_bits(0.1F)), "0.1");
  EXPECT_EQ(shortest_decimal<double>(to_bits(0.1)), "0.1");
  EXPECT_EQ(shortest_decimal<binary16>(0x3555), "0.3333");  // 1365 / 4096
  EXPECT_EQ(shortest_decimal<bfloat16>(0x3eab), "0.334");   // 171 / 512
  EXPECT_EQ(shortest_decimal<float>(0x7f7fffff), "3.4028235e+38");
  EXPECT_EQ(shortest_decimal<binary16>(0x0001), "6e-08");
}

TEST(ShortestDecimal, ZeroKeepsItsSign) {
  EXPECT_EQ(shortest_decimal<float>(0), "0");
  EXPECT_EQ(shortest_decimal<float>(0x80000000), "-0");
}

TEST(Hexadecimal, HasEveryDigitOfTheFormat) {
  EXPECT_EQ(hexadecimal<double>(1), "0000000000000001");
  EXPECT_EQ(hexadecimal<float>(0x3f800000), "3f800000");
  EXPECT_EQ(hexadecimal<bfloat16>(0xabc), "0abc");
}

TEST(ToDouble, IsExactAtTheEdges) {
  EXPECT_EQ(to_double<binary16>(0x0001), 0x1p-24);
  EXPECT_EQ(to_double<binary16>(0xfbff), -65504);
  EXPECT_EQ(to_double<double>(1), 0x1p-1074);
  EXPECT_EQ(to_double<bfloat16>(0xff80), -std::numeric_limits<double>::infinity());
  EXPECT_TRUE(std::isnan(to_double<float>(0x7fc00000)));
}

}  // namespace
}  // namespace ropewalk::output::decimal_test
