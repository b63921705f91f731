// The calls for one sequence are constant expressions, with the bits that they have at run time.

#include <gtest/gtest.h>

#include <array>

#include "ropewalk/ropewalk.hpp"

namespace ropewalk {
namespace {

constexpr rope small{.base = 10000, .rotary_dim = 4};
constexpr xpos scaled{.rotary_dim = 4};
constexpr float tokens[] = {1, 0, 0, 1, 0.5F, -2, 3, 4};
constexpr std::int32_t places[] = {1, -3};

/// The elements of a vector as an array, which a constant may be.
template <std::size_t Count, class Element>
constexpr std::array<Element, Count> first_of(const std::vector<Element>& from) {
  std::array<Element, Count> result{};
  for (std::size_t i = 0; i < Count; ++i) result[i] = from[i];
  return result;
}

TEST(ConstantCalls, SinusoidalEncoding) {
  constexpr auto rows = first_of<12>(sinusoidal_encoding(3, 4));
  EXPECT_EQ(rows, first_of<12>(sinusoidal_encoding(3, 4)));
  static_assert(rows[4] == sinusoidal_table<float, sinusoidal{.d_model = 4}, position_range{0, 3}>[1][0]);
}

TEST(ConstantCalls, RotaryEmbedding) {
  constexpr auto cos = first_of<6>(rotary_embedding(3, small).cos),
                 sin = first_of<6>(rotary_embedding(3, small).sin);
  EXPECT_EQ(cos, first_of<6>(rotary_embedding(3, small).cos));
  EXPECT_EQ(sin, first_of<6>(rotary_embedding(3, small).sin));
  static_assert(cos[2] == cos_table<float, small, position_range{0, 3}>[1][0]);
}

TEST(ConstantCalls, ApplyRope) {
  constexpr auto rotated = first_of<8>(apply_rope(tokens, places, 4));
  EXPECT_EQ(rotated, first_of<8>(apply_rope(tokens, places, 4)));
  static_assert(rotated[0] == cos_table<float, small, position_range{0, 3}>[1][0]);
}

TEST(ConstantCalls, FrequencyDivisors) {
  constexpr rope divided{.base = 10000, .rotary_dim = 4, .scaling = linear{.factor = 4}};
  constexpr auto divisors = first_of<2>(frequency_divisors<float>(divided));
  EXPECT_EQ(divisors, first_of<2>(frequency_divisors<float>(divided)));
  static_assert(divisors[0] == to_bits(4.0F));
}

TEST(ConstantCalls, XposRow) {
  constexpr auto size = xpos_row<float>(1, xpos_side::query, scaled).size();
  constexpr auto first = xpos_row<float>(1, xpos_side::query, scaled)[0].cos;
  EXPECT_EQ(size, 2u);
  EXPECT_EQ(first, xpos_row<float>(1, xpos_side::query, scaled)[0].cos);
}

TEST(ConstantCalls, LongTermDecay) {
  constexpr rope paper{.base = 10000, .rotary_dim = 128};  // 64 pairs: as many as the paper's figure has
  constexpr auto near = long_term_decay<2>(1, paper), far = long_term_decay<2>(100, paper);
  static_assert(compare(near, far) == order::greater);
  EXPECT_EQ(compare(long_term_decay<2>(1, paper), long_term_decay<2>(100, paper)), order::greater);
}

}  // namespace
}  // namespace ropewalk
