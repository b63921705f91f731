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
  limbs<N> r;
  for (int i = 0; i < N; ++i)
    r.word[i] = *rc::gen::weightedOneOf<std::uint64_t>({{3, rc::gen::arbitrary<std::uint64_t>()},
                                                        {1, rc::gen::just(~std::uint64_t{0})},
                                                        {1, rc::gen::just(std::uint64_t{0})},
                                                        {1, rc::gen::just(std::uint64_t{1} << 63)}});
  return r;
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
