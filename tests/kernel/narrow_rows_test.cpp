// Rows of 16-bit formats: the rounding of every number and midpoint, and the bits of exact arithmetic on
// every target.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

#include "kernel/fast_rows.hpp"
#include "kernel/fast_rows_case.hpp"
#include "kernel/quarter_turn.hpp"
#include "kernel/run_time_table.hpp"
#include "oracle/models.hpp"
#include "ropewalk/numeric/float_arithmetic.hpp"

namespace ropewalk::test::narrow_rows_test {
namespace {

template <class Narrow>
class NarrowRows : public testing::Test {};
using narrow_formats = testing::Types<binary16, bfloat16>;
TYPED_TEST_SUITE(NarrowRows, narrow_formats);

template <class Narrow>
double number_of(int bits) {
  return from_bits<double>(convert<double, Narrow>(static_cast<bits_of<Narrow>>(bits)));
}

template <class Narrow>
const simd::narrow_functions& functions_of(const simd::target& target) {
  return std::is_same_v<Narrow, binary16> ? target.binary16_rows : target.bfloat16_rows;
}

/// What a target makes of values that it takes for cosines of a seed, which of them it leaves undecided, and
/// what a run of rows stores for them.
struct rounded_values {
  std::vector<std::uint16_t> bits;
  std::vector<bool> is_undecided;
  std::vector<std::uint16_t> bits_in_run;
  bool is_run_undecided;
};

template <class Narrow>
rounded_values rounded(const simd::target& target, std::vector<double> values) {
  const std::size_t count = values.size();
  values.resize(count + simd::row_multiple);
  const std::vector<double> zeros(values.size()), ones(values.size(), 1.0);
  std::vector<double> reach;
  std::vector<float> float_reach;
  for (const double value : values) {
    reach.push_back(std::abs(value) * quarter_turn::sum_error);
    float_reach.push_back(
        static_cast<float>(std::clamp(2 * reach.back(), value == 0 ? 0 : 0x1p-126, 0x1p127)));
  }
  const std::vector<float> no_reach(values.size());
  std::vector<std::uint16_t> cos(values.size()), sin(values.size()), listed(values.size()), run(cos);
  const simd::angle_sum sum{values.data(),      zeros.data(),    ones.data(),
                            zeros.data(),       reach.data(),    zeros.data(),
                            float_reach.data(), no_reach.data(), static_cast<int>(count)};
  const simd::sum_functions<std::uint16_t>& sums = functions_of<Narrow>(target).sums;
  const int undecided = sums.row(sum, cos.data(), sin.data(), listed.data());
  const bool is_run_undecided = sums.rows(sum, 1, run.data(), sin.data()) != 0;
  rounded_values result{std::move(cos), std::vector<bool>(count), std::move(run), is_run_undecided};
  for (int i = 0; i < undecided; ++i) result.is_undecided[listed[static_cast<std::size_t>(i)]] = true;
  return result;
}

TYPED_TEST(NarrowRows, EveryNumberAndMidpointIsRoundedOnceAndOnlyMidpointsAreUndecided) {
  using traits = format<TypeParam>;
  constexpr double apart = 0x1p-46;  // above the reach of a sum, below an ulp of every format
  for (const simd::target* target : simd::targets())
    for (const double sign : {1.0, -1.0}) {
      std::vector<double> values;
      std::vector<bool> is_middle;
      for (int bits = 0; bits < traits::infinity; ++bits) {
        const double number = number_of<TypeParam>(bits);
        const double next = bits + 1 < traits::infinity
                                ? number_of<TypeParam>(bits + 1)
                                : 2 * number - number_of<TypeParam>(bits - 1);  // where overflow begins
        const double middle = number + (next - number) / 2;
        for (const double value : {number, middle * (1 - apart), middle, middle * (1 + apart)}) {
          values.push_back(value == 0 ? 0 : sign * value);  // sine 0 is +0
          is_middle.push_back(value == middle);
        }
      }
      values.push_back(sign * std::ldexp(1, 200));
      is_middle.push_back(false);
      for (std::size_t first = 0; first < values.size(); first += 60'000) {
        const std::vector<double> part(
            values.begin() + static_cast<std::ptrdiff_t>(first),
            values.begin() + static_cast<std::ptrdiff_t>(std::min(first + 60'000, values.size())));
        const rounded_values results = rounded<TypeParam>(*target, part);
        EXPECT_TRUE(results.is_run_undecided) << "a run says that it has a midpoint";
        for (std::size_t i = 0; i < part.size(); ++i) {
          ASSERT_EQ(results.is_undecided[i], is_middle[first + i]) << target->name << ' ' << part[i];
          if (is_middle[first + i]) continue;
          const auto wanted = convert<TypeParam, double>(to_bits(part[i]));
          ASSERT_EQ(results.bits[i], wanted) << target->name << ' ' << part[i];
          ASSERT_EQ(results.bits_in_run[i], wanted) << target->name << ' ' << part[i];
        }
      }
    }
}

constexpr rope still_pairs{
    .base = 10000, .rotary_dim = 64, .scaling = proportional{.live_pairs = 8, .factor = 1}};
constexpr rope slow_pairs{.base = 1e30, .rotary_dim = 22};
constexpr rope overflowing{
    .base = 10000,
    .rotary_dim = 16,
    .scaling = yarn{.factor = 4, .original_max_position_embeddings = 4096, .attention_factor = 70000.0}};

TYPED_TEST(NarrowRows, EveryTargetGivesTheBitsOfExactArithmetic) {
  for (const rope& config : {oracle::llama_31, oracle::qwen_yarn, still_pairs, slow_pairs, overflowing})
    for (const std::int64_t begin : {std::int64_t{-40}, std::int64_t{131'000}, smallest_position}) {
      const position_range positions{begin, begin + 100};
      const auto pairs = static_cast<std::size_t>(config.rotary_dim / 2);
      std::vector<std::uint16_t> cos(100 * pairs), sin(cos), wanted_cos(cos), wanted_sin(cos);
      rope_rows(config).rows<TypeParam>(positions, false, wanted_cos.data(), wanted_sin.data());
      for (const simd::target* target : simd::targets()) {
        const vector_rows simd_rows(config, *target);
        row_walk(simd_rows.rows).rows<TypeParam>(positions, false, cos.data(), sin.data());
        ASSERT_EQ(cos, wanted_cos) << target->name << " from " << begin;
        ASSERT_EQ(sin, wanted_sin) << target->name << " from " << begin;
      }
    }
}

TYPED_TEST(NarrowRows, LongTablesHaveTheBitsOfExactArithmeticAndSeldomNeedIt) {
  constexpr position_range positions{0, 1 << 14};
  for (const rope& config : {oracle::llama_2, oracle::qwen_yarn}) {
    const run_time_table table(config);
    const std::size_t entries =
        static_cast<std::size_t>(size(positions)) * static_cast<std::size_t>(table.pairs());
    std::vector<std::uint16_t> cos(entries), sin(entries), wanted_cos(entries), wanted_sin(entries);
    const decided_entries decided = table.fill<TypeParam>(positions, cos.data(), sin.data());
    table.exact().rows<TypeParam>(positions, false, wanted_cos.data(), wanted_sin.data());
    EXPECT_EQ(cos, wanted_cos);
    EXPECT_EQ(sin, wanted_sin);
    EXPECT_LE(decided.exactly, 2 * table.pairs()) << "position 0, and rare entries";
  }
}

}  // namespace
}  // namespace ropewalk::test::narrow_rows_test
