// Long tables against exact arithmetic, in every format.

#include "kernel/run_time_table.hpp"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <vector>

#include "oracle/models.hpp"

namespace ropewalk::test {
namespace {

template <class Float>
std::vector<bits_of<Float>> bits_in(const std::vector<row_entry<Float>>& entries) {
  std::vector<bits_of<Float>> bits;
  for (const row_entry<Float> entry : entries) bits.push_back(std::bit_cast<bits_of<Float>>(entry));
  return bits;
}

template <class Float>
class RunTimeTable : public testing::Test {};
using formats = testing::Types<double, float, binary16, bfloat16>;
TYPED_TEST_SUITE(RunTimeTable, formats);

TYPED_TEST(RunTimeTable, GivesTheBitsOfExactArithmetic) {
  constexpr rope slow{.base = 1e300, .rotary_dim = 16};
  constexpr rope odd{.base = 10000, .rotary_dim = 22};
  for (const rope& config : {oracle::gpt_neox, oracle::qwen_yarn, slow, odd})
    for (const std::int64_t begin : {std::int64_t{-300}, std::int64_t{131'000}, largest_position - 599}) {
      const run_time_table table(config);
      const rope_rows exact(config);
      const position_range positions{begin, begin + 600};
      const std::size_t entries = 600 * static_cast<std::size_t>(table.pairs());
      std::vector<row_entry<TypeParam>> cos(entries), sin(entries);
      std::vector<bits_of<TypeParam>> wanted_cos(entries), wanted_sin(entries);
      const decided_entries decided = table.fill<TypeParam>(positions, cos.data(), sin.data());
      exact.rows<TypeParam>(positions, false, wanted_cos.data(), wanted_sin.data());
      EXPECT_EQ(bits_in<TypeParam>(cos), wanted_cos);
      EXPECT_EQ(bits_in<TypeParam>(sin), wanted_sin);
      EXPECT_EQ(decided.by_sum + decided.by_polynomial + decided.exactly, static_cast<std::int64_t>(entries));
    }
}

TYPED_TEST(RunTimeTable, DecidesBesideTheMiddleThatOverflows) {
  // The factor lies just below the midpoint between the largest number and infinity, and rounds to it in
  // binary32.
  using traits = format<TypeParam>;
  const auto number = [](unsigned places_below) {
    return static_cast<double>(from_bits<float>(
        convert<float, TypeParam>(static_cast<bits_of<TypeParam>>(traits::infinity - places_below))));
  };
  if constexpr (traits::precision < format<float>::precision) {
    const double middle = number(1) + (number(1) - number(2)) / 2;
    const rope config{.base = 10000,
                      .rotary_dim = 8,
                      .scaling = yarn{.factor = 4,
                                      .original_max_position_embeddings = 2048,
                                      .attention_factor = given<double>(std::nextafter(middle, 0))}};
    const run_time_table table(config);
    std::vector<bits_of<TypeParam>> cos(12), sin(12), wanted_cos(12), wanted_sin(12);  // 16-bit entries
    const decided_entries decided = table.fill<TypeParam>({0, 3}, cos.data(), sin.data());
    rope_rows(config).rows<TypeParam>({0, 3}, false, wanted_cos.data(), wanted_sin.data());
    EXPECT_EQ(cos, wanted_cos);
    EXPECT_EQ(sin, wanted_sin);
    EXPECT_EQ(cos[0], traits::infinity - 1);
    EXPECT_GE(decided.exactly, 4);
    EXPECT_GE(decided.by_sum, 0);
    EXPECT_GE(decided.by_polynomial, 0);
  }
}

}  // namespace
}  // namespace ropewalk::test
