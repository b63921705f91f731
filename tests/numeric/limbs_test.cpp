#include "ropewalk/numeric/limbs.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <boost/multiprecision/cpp_int.hpp>
#include <vector>

#include "numeric/boost_number.hpp"

namespace ropewalk {
namespace {

using boost::multiprecision::cpp_int;

/// Random words, often all ones, all zeros or only the top bit, where carries propagate furthest.
template <int N>
limbs<N> any_limbs() {
  limbs<N> product;
  for (int i = 0; i < N; ++i)
    product.word[i] = *rc::gen::weightedOneOf<std::uint64_t>({{3, rc::gen::arbitrary<std::uint64_t>()},
                                                              {1, rc::gen::just(~std::uint64_t{0})},
                                                              {1, rc::gen::just(std::uint64_t{0})},
                                                              {1, rc::gen::just(std::uint64_t{1} << 63)}});
  return product;
}

const cpp_int word_range = cpp_int(1) << 64;

RC_GTEST_PROP(Limbs, ProductsAreThoseOfBoost, ()) {
  const auto a = any_limbs<5>();
  const auto b = any_limbs<3>();
  RC_ASSERT(to_boost(multiply(a, b)) == to_boost(a) * to_boost(b));
}

RC_GTEST_PROP(Limbs, SumsAndDifferencesUndoEachOther, ()) {
  const auto a = any_limbs<4>();
  const auto b = any_limbs<4>();
  auto sum = a;
  const std::uint64_t carry = add_to(sum, b);
  RC_ASSERT(to_boost(sum) + (cpp_int(carry) << 256) == to_boost(a) + to_boost(b));
  RC_ASSERT(subtract_from(sum, b) == carry);
  RC_ASSERT(sum == a);
}

RC_GTEST_PROP(Limbs, DivisionLeavesTheRemainderBelowTheDivisor, ()) {
  const auto a = any_limbs<6>();
  auto b = any_limbs<3>();
  b.word[2] |= std::uint64_t{1} << 63;
  const auto parts = divide(a, b);
  RC_ASSERT(to_boost(parts.quotient) == to_boost(a) / to_boost(b));
  RC_ASSERT(to_boost(parts.remainder) == to_boost(a) % to_boost(b));
}

RC_GTEST_PROP(Limbs, SmallFactorsAndDivisors, ()) {
  const auto a = any_limbs<4>();
  const auto value = *rc::gen::nonZero<std::uint64_t>();
  auto product = a, quotient = a;
  const std::uint64_t over = multiply_by(product, value);
  RC_ASSERT(to_boost(product) + (cpp_int(over) << 256) == to_boost(a) * value);
  const std::uint64_t remainder = divide_by(quotient, value);
  RC_ASSERT(to_boost(quotient) == to_boost(a) / value);
  RC_ASSERT(remainder == to_boost(a) % value);
}

RC_GTEST_PROP(Limbs, ShiftsAndBits, ()) {
  const auto a = any_limbs<4>();
  const int count = *rc::gen::inRange(0, 256);
  const cpp_int value = to_boost(a), low = (cpp_int(1) << count) - 1;
  RC_ASSERT(to_boost(shift_right(a, count)) == (value >> count));
  RC_ASSERT(to_boost(shift_left(a, count)) == ((value << count) & ((cpp_int(1) << 256) - 1)));
  RC_ASSERT(any_bit_below(a, count) == ((value & low) != 0));
  RC_ASSERT(bit_at(a, count) == ((value >> count & 1) != 0));
  RC_ASSERT(bit_length(a) == (value == 0 ? 0 : static_cast<int>(msb(value)) + 1));
}

TEST(Limbs, ACarryGoesThroughEveryWord) {
  constexpr std::uint64_t ones = ~std::uint64_t{0};
  limbs<3> a{{ones, ones, 7}};
  EXPECT_EQ(add_to(a, std::uint64_t{1}), 0u);
  EXPECT_EQ(a, (limbs<3>{{0, 0, 8}}));
  EXPECT_EQ(add_to(a, std::uint64_t{5}), 0u);
  EXPECT_EQ(a, (limbs<3>{{5, 0, 8}}));
  limbs<2> full{{ones, ones}};
  EXPECT_EQ(add_to(full, std::uint64_t{1}), 1u);
}

TEST(Limbs, WholeWordsAreCutOffWhole) {
  const limbs<3> a{{6, 0, std::uint64_t{1} << 63}};
  EXPECT_FALSE(any_bit_below(a, 1));
  EXPECT_TRUE(any_bit_below(a, 64));
  EXPECT_TRUE(any_bit_below(limbs<3>{{0, 1, 0}}, 128));
  EXPECT_FALSE(any_bit_below(limbs<3>{{0, 1, 0}}, 64));
  EXPECT_EQ(upper<2>(a), (limbs<2>{{0, std::uint64_t{1} << 63}}));
  EXPECT_EQ(shift_right(a, 64), (limbs<3>{{0, std::uint64_t{1} << 63, 0}}));
  EXPECT_EQ(shift_right(a, 129), (limbs<3>{{std::uint64_t{1} << 62, 0, 0}}));
  EXPECT_EQ(shift_left(a, 126), (limbs<3>{{0, std::uint64_t{1} << 63, 1}}));
}

TEST(Limbs, TrialDigitsAreCorrectedTwice) {
  constexpr std::uint64_t top = std::uint64_t{1} << 63, ones = ~std::uint64_t{0};
  const limbs<2> divisor{{ones, top}};
  for (const limbs<3>& a : {limbs<3>{{0, ones, top}}, limbs<3>{{0, 0, top}}, limbs<3>{{ones, ones, ones}}}) {
    const auto parts = divide(a, divisor);
    EXPECT_EQ(to_boost(parts.quotient), to_boost(a) / to_boost(divisor));
    EXPECT_EQ(to_boost(parts.remainder), to_boost(a) % to_boost(divisor));
  }
}

TEST(Limbs, ComparisonLooksAtTheHighestWordFirst) {
  limbs<2> small, large;
  small.word[0] = ~std::uint64_t{0};
  large.word[1] = 1;
  EXPECT_EQ(compare(small, large), -1);
  EXPECT_EQ(compare(large, small), 1);
  EXPECT_EQ(compare(large, large), 0);
}

}  // namespace
}  // namespace ropewalk
