// Tables of cosine and sine computed at compile time: they have the bits of the run-time rows and of MPFR.

#include "ropewalk/table/cos_sin_table.hpp"

#include <gtest/gtest.h>

#include <bit>

#include "oracle/models.hpp"
#include "oracle/row_comparison.hpp"

namespace ropewalk {
namespace {

template <floating_format Float, rope Config, position_range Positions>
void expect_table_holds() {
  const auto& cos = cos_table<Float, Config, Positions>;
  const auto& sin = sin_table<Float, Config, Positions>;
  const rope_rows rows(Config);
  const oracle::rope_oracle oracle(Config);
  ASSERT_EQ(cos.size(), static_cast<std::size_t>(size(Positions)));
  std::vector<bits_of<Float>> row_cos(cos[0].size()), row_sin(cos[0].size());
  for (std::size_t i = 0; i < cos.size(); ++i) {
    const std::int64_t position = Positions.begin + static_cast<std::int64_t>(i);
    rows.row<Float>(position, false, row_cos.data(), row_sin.data());
    for (std::size_t pair = 0; pair < cos[i].size(); ++pair) {
      const auto truth = oracle.at(position, static_cast<int>(pair));
      ASSERT_EQ(to_bits(cos[i][pair]), truth.cos.in<Float>()) << "position " << position << " pair " << pair;
      ASSERT_EQ(to_bits(sin[i][pair]), truth.sin.in<Float>()) << "position " << position << " pair " << pair;
      ASSERT_EQ(row_cos[pair], truth.cos.in<Float>()) << "position " << position << " pair " << pair;
      ASSERT_EQ(row_sin[pair], truth.sin.in<Float>()) << "position " << position << " pair " << pair;
    }
  }
}

// Published rules with few pairs, because compile time grows with the number of pairs.
constexpr rope small_yarn{.base = 150000, .rotary_dim = 12, .scaling = oracle::gpt_oss_scaling};
constexpr rope small_llama3{.base = 500000, .rotary_dim = 12, .scaling = oracle::llama_31_scaling};

// The compiler makes a sample of positions, and long tables in one format; ./dev prove has it make all.
#ifdef ROPEWALK_SAMPLED
constexpr std::int64_t first_positions = 12;
template <class Float>
constexpr bool is_made_long = sizeof(Float) == 4;
#else
constexpr std::int64_t first_positions = 40;
template <class Float>
constexpr bool is_made_long = true;
#endif

template <class Float>
class CosSinTable : public testing::Test {};
using formats = testing::Types<double, float, binary16, bfloat16>;
TYPED_TEST_SUITE(CosSinTable, formats);

TYPED_TEST(CosSinTable, FirstPositions) {
  expect_table_holds<TypeParam, oracle::gpt_neox, position_range{0, first_positions}>();
}

TYPED_TEST(CosSinTable, NegativePositionsThroughZero) {
  expect_table_holds<TypeParam, oracle::gpt_neox, position_range{-10, 9}>();
}

TYPED_TEST(CosSinTable, LastPositionsOfTheRange) {
  expect_table_holds<TypeParam, oracle::gpt_neox,
                     position_range{largest_position - 4, largest_position + 1}>();
  expect_table_holds<TypeParam, oracle::gpt_neox, position_range{smallest_position, smallest_position + 3}>();
}

TYPED_TEST(CosSinTable, PairsThatStandStillOrNearlySo) {
  constexpr rope still{.base = 10000, .rotary_dim = 8, .scaling = proportional{.live_pairs = 1, .factor = 1}};
  constexpr rope slow{.base = 1e300, .rotary_dim = 8};
  expect_table_holds<TypeParam, still, position_range{-4, 8}>();
  expect_table_holds<TypeParam, slow, position_range{0, 8}>();
}

TYPED_TEST(CosSinTable, AttentionFactorIsPartOfTheEntry) {
  expect_table_holds<TypeParam, small_yarn, position_range{0, 20}>();
  expect_table_holds<TypeParam, small_yarn, position_range{131068, 131072}>();
}

TYPED_TEST(CosSinTable, ScaledFrequencies) {
  expect_table_holds<TypeParam, small_llama3, position_range{131070, 131080}>();
}

TYPED_TEST(CosSinTable, PositionsBeyondOneBlock) {
  constexpr rope two_pairs{.base = 10000, .rotary_dim = 4};
  if constexpr (is_made_long<TypeParam>)
    expect_table_holds<TypeParam, two_pairs, position_range{-300, detail::longest_column + 1}>();
}

TEST(CosSinTable, EntryThatNinetySixBitsOfATurnGetWrong) {
  constexpr std::int64_t position = 1435833356;
  constexpr auto& column =
      detail::rope_column<float, oracle::llama_2, position_range{position, position + 1}, 35>;
  static_assert(to_bits(column.cos[0]) == 0xbbc5bf08);
}

TEST(CosSinTable, PositionZeroIsOneAndPlusZero) {
  static_assert(cos_table<float, oracle::gpt_neox, position_range{0, 1}>[0][5] == 1);
  static_assert(
      std::bit_cast<std::uint32_t>(sin_table<float, oracle::gpt_neox, position_range{0, 1}>[0][5]) == 0);
}

}  // namespace
}  // namespace ropewalk
