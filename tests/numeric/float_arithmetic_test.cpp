// Integer IEEE 754 arithmetic against the processor's own, and at compile time.

#include "ropewalk/numeric/float_arithmetic.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <random>
#include <vector>

#if defined(__x86_64__)
#include <immintrin.h>
#endif

namespace ropewalk {
namespace {

constexpr std::uint32_t one_bits = to_bits(1.0f);
constexpr std::uint32_t largest = to_bits(std::numeric_limits<float>::max());
constexpr std::uint32_t infinity = format<float>::infinity;
constexpr std::uint32_t smallest = 1;

static_assert(add<float>(largest, largest) == infinity, "overflow is constexpr");
static_assert(multiply<float>(infinity, 0) == format<float>::quiet_nan, "inf * 0 is NaN");
static_assert(subtract<float>(infinity, infinity) == format<float>::quiet_nan, "inf - inf is NaN");
static_assert(add<float>(one_bits, infinity) == infinity);
static_assert(add<float>(0x7fa00000, one_bits) == format<float>::quiet_nan, "a signalling NaN becomes quiet");
static_assert(subtract<float>(one_bits, one_bits) == 0, "x - x is +0");
static_assert(add<float>(0x80000000, 0x80000000) == 0x80000000, "-0 + -0 is -0");
static_assert(add<float>(0x80000000, 0) == 0);
static_assert(multiply<float>(0x80000000, one_bits) == 0x80000000);
static_assert(multiply<float>(smallest, to_bits(0.5f)) == 0, "half the smallest ties to even");
static_assert(multiply<float>(smallest, to_bits(0.75f)) == smallest);
static_assert(multiply<double>(to_bits(0x1p-537), to_bits(0x1.8p-537)) == 2,
              "subnormal product, tie to even");
static_assert(convert<float, double>(to_bits(0x1.ffffffp+127)) == infinity,
              "the midpoint past the largest overflows");
static_assert(convert<float, double>(to_bits(0x1.fffffefffffffp+127)) == largest);
static_assert(convert<bfloat16, float>(0x3f808000) == 0x3f80 &&
              convert<bfloat16, float>(0x3f818000) == 0x3f82);
static_assert(convert<binary16, float>(to_bits(65520.0f)) == format<binary16>::infinity);
static_assert(convert<binary16, float>(to_bits(0x1p-25f)) == 0 &&
              convert<binary16, float>(to_bits(0x1.8p-25f)) == 1);
static_assert(negate<binary16>(0) == 0x8000);

template <class Float>
std::vector<bits_of<Float>> special_values() {
  using traits = format<Float>;
  std::vector<bits_of<Float>> values;
  const std::uint64_t hidden = std::uint64_t{1} << (traits::precision - 1);
  const std::uint64_t top = traits::infinity;
  for (std::uint64_t bits : {std::uint64_t{0}, std::uint64_t{1}, std::uint64_t{2}, std::uint64_t{3},
                             hidden / 2, hidden - 1, hidden, hidden + 1, 2 * hidden, top / 2 & ~(hidden - 1),
                             (top / 2 & ~(hidden - 1)) + 1, (top / 2 & ~(hidden - 1)) - 1, top - hidden,
                             top - 2, top - 1, top, top + 1, top + hidden / 2, top + hidden - 1})
    for (std::uint64_t sign : {std::uint64_t{0}, std::uint64_t{traits::sign_bit}})
      values.push_back(static_cast<bits_of<Float>>(bits | sign));
  return values;
}

/// Bits with an exponent close to that of `other`, so that sums cancel and round; or, one in four, any bits.
template <class Float>
bits_of<Float> random_bits(std::mt19937_64& random, bits_of<Float> other) {
  using traits = format<Float>;
  const std::uint64_t word = random();
  if (word % 4 == 0) return static_cast<bits_of<Float>>(random());
  const std::uint64_t step = (random() % 64) << (traits::precision - 1);
  const bits_of<Float> near = static_cast<bits_of<Float>>((word & 8) != 0 ? other + step : other - step);
  return static_cast<bits_of<Float>>(
      near ^ static_cast<bits_of<Float>>(random() & (traits::fraction_mask | traits::sign_bit)));
}

template <class Float>
::testing::AssertionResult agrees_with_hardware(bits_of<Float> a, bits_of<Float> b) {
  const volatile Float x = from_bits<Float>(a);
  const volatile Float y = from_bits<Float>(b);
  const volatile Float sum = x + y;
  const volatile Float difference = x - y;
  const volatile Float product = x * y;
  if (same_bits<Float>(add<Float>(a, b), to_bits<Float>(sum)) &&
      same_bits<Float>(subtract<Float>(a, b), to_bits<Float>(difference)) &&
      same_bits<Float>(multiply<Float>(a, b), to_bits<Float>(product)))
    return ::testing::AssertionSuccess();
  return ::testing::AssertionFailure() << std::hex << "a = " << a << ", b = " << b;
}

template <class Float>
class FloatArithmetic : public ::testing::Test {};
using float_types = ::testing::Types<float, double>;
TYPED_TEST_SUITE(FloatArithmetic, float_types);

TYPED_TEST(FloatArithmetic, SpecialValuesAgreeWithHardware) {
  for (const auto a : special_values<TypeParam>())
    for (const auto b : special_values<TypeParam>()) EXPECT_TRUE((agrees_with_hardware<TypeParam>(a, b)));
}

TYPED_TEST(FloatArithmetic, RandomBitsAgreeWithHardware) {
  std::mt19937_64 random(1);
  bits_of<TypeParam> a = 0;
  for (int i = 0; i < 3'000'000; ++i) {
    const bits_of<TypeParam> b = random_bits<TypeParam>(random, a);
    ASSERT_TRUE((agrees_with_hardware<TypeParam>(a, b)));
    a = i % 16 == 0 ? static_cast<bits_of<TypeParam>>(random()) : b;
  }
}

TYPED_TEST(FloatArithmetic, SubnormalProductsAgreeWithHardware) {
  using traits = format<TypeParam>;
  std::mt19937_64 random(2);
  for (int i = 0; i < 1'000'000; ++i) {  // products down to 2^-(2 precision) of the smallest normal
    const std::uint64_t field = random() % static_cast<std::uint64_t>(2 * traits::bias);
    const std::int64_t count = traits::bias - static_cast<std::int64_t>(random() % (2 * traits::precision));
    const std::int64_t rest =
        std::clamp<std::int64_t>(count - static_cast<std::int64_t>(field), 0, 2 * traits::bias);
    const auto number = [&](std::uint64_t exponent) {
      return static_cast<bits_of<TypeParam>>((exponent << (traits::precision - 1)) |
                                             (random() & traits::fraction_mask));
    };
    ASSERT_TRUE((agrees_with_hardware<TypeParam>(number(field), number(static_cast<std::uint64_t>(rest)))));
  }
}

TEST(FloatConversion, RandomBinary64ToBinary32AgreesWithHardware) {
  std::mt19937_64 random(3);
  for (int i = 0; i < 3'000'000; ++i) {
    std::uint64_t bits = random();
    if (i % 2 == 0)  // around binary32's range, its subnormals and its midpoints
      bits = (bits & 0x800fffffffffffff) | ((1023 - 160 + random() % 300) << 52);
    if (i % 3 == 0) bits = (bits & ~std::uint64_t{0x1fffffff}) | 0x10000000;
    const volatile double value = from_bits<double>(bits);
    const volatile float rounded = static_cast<float>(value);
    ASSERT_TRUE((same_bits<float>(convert<float, double>(bits), to_bits<float>(rounded))))
        << std::hex << bits;
  }
}

TEST(FloatConversion, WideningAgreesWithHardware) {
  std::mt19937_64 random(4);
  for (int i = 0; i < 1'000'000; ++i) {
    const auto bits = static_cast<std::uint32_t>(random()) & (i % 2 == 0 ? 0xffffffffu : 0x80ffffffu);
    const volatile float value = from_bits<float>(bits);
    const volatile double wide = value;
    ASSERT_TRUE((same_bits<double>(convert<double, float>(bits), to_bits<double>(wide)))) << std::hex << bits;
  }
}

/// The value of a binary16 by its definition, independent of decode and of convert.
double value_of_binary16(std::uint16_t bits) {
  const int field = bits >> 10 & 31;
  const double size =
      field == 0 ? std::ldexp(bits & 1023, -24) : std::ldexp(1024 + (bits & 1023), field - 25);
  return (bits & 0x8000) != 0 ? -size : size;
}

TEST(FloatConversion, EveryBinary16SurvivesTheRoundTrip) {
  for (std::uint32_t i = 0; i < 65536; ++i) {
    const auto bits = static_cast<std::uint16_t>(i);
    const std::uint32_t wide = convert<float, binary16>(bits);
    if (is_finite<binary16>(bits)) {
      ASSERT_EQ(static_cast<double>(from_bits<float>(wide)), value_of_binary16(bits)) << i;
    }
    ASSERT_EQ(is_infinite<binary16>(bits), is_infinite<float>(wide)) << i;
    ASSERT_TRUE((same_bits<binary16>(convert<binary16, float>(wide), bits))) << i;
    ASSERT_TRUE((same_bits<binary16>(convert<binary16, double>(convert<double, binary16>(bits)), bits))) << i;
  }
}

TEST(FloatConversion, EveryBinary16MidpointTiesToEvenAndItsNeighboursDoNot) {
  for (std::uint32_t i = 0; i < format<binary16>::infinity; ++i) {
    const auto low = static_cast<std::uint16_t>(i);
    const auto high = static_cast<std::uint16_t>(i + 1);
    const double above = high == format<binary16>::infinity ? 65536.0 : value_of_binary16(high);
    const auto middle = to_bits(static_cast<float>((value_of_binary16(low) + above) / 2));  // exact: 12 bits
    ASSERT_EQ((convert<binary16, float>(middle)), i % 2 == 0 ? low : high) << i;
    ASSERT_EQ((convert<binary16, float>(middle - 1)), low) << i;
    ASSERT_EQ((convert<binary16, float>(middle + 1)), high) << i;
  }
}

TEST(FloatConversion, EveryBfloat16MidpointTiesToEvenAndItsNeighboursDoNot) {
  for (std::uint32_t i = 0; i < format<bfloat16>::infinity; ++i) {
    const auto low = static_cast<std::uint16_t>(i);
    const auto high = static_cast<std::uint16_t>(i + 1);
    const std::uint32_t middle = (i << 16) + 0x8000;
    ASSERT_EQ((convert<float, bfloat16>(low)), i << 16);
    ASSERT_EQ((convert<bfloat16, float>(middle)), i % 2 == 0 ? low : high) << i;
    ASSERT_EQ((convert<bfloat16, float>(middle - 1)), low) << i;
    ASSERT_EQ((convert<bfloat16, float>(middle + 1)), high) << i;
  }
}

#if defined(__x86_64__)
__attribute__((target("f16c"))) std::uint16_t hardware_binary16(float value) {
  return static_cast<std::uint16_t>(_cvtss_sh(value, _MM_FROUND_TO_NEAREST_INT));
}

TEST(FloatConversion, RandomBinary32ToBinary16AgreesWithHardware) {
  if (!__builtin_cpu_supports("f16c")) GTEST_SKIP() << "this processor has no binary16 conversion";
  std::mt19937_64 random(5);
  for (int i = 0; i < 3'000'000; ++i) {
    std::uint32_t bits = static_cast<std::uint32_t>(random());
    if (i % 2 == 0) bits = (bits & 0x807fffff) | (static_cast<std::uint32_t>(127 - 28 + random() % 48) << 23);
    ASSERT_TRUE(
        (same_bits<binary16>(convert<binary16, float>(bits), hardware_binary16(from_bits<float>(bits)))))
        << std::hex << bits;
  }
}
#endif

}  // namespace
}  // namespace ropewalk
