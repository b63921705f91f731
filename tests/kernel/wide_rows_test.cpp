// Binary64 rows of every target against exact arithmetic, and against MPFR.

#include "kernel/wide_rows.hpp"

#include <gtest/gtest.h>

#include <vector>

#include "kernel/fast_rows_case.hpp"
#include "oracle/models.hpp"

namespace ropewalk::test {
namespace {

constexpr rope ten_still_pairs{
    .base = 10000, .rotary_dim = 20, .scaling = proportional{.live_pairs = 4, .factor = 1}};
constexpr rope ten_slow_pairs{.base = 1e30, .rotary_dim = 20};

void expect_exact(const rope& config, const simd::target& target, position_range positions, bool unit) {
  const vector_rows simd_rows(config, target);
  const auto entries =
      static_cast<std::size_t>(size(positions)) * static_cast<std::size_t>(simd_rows.rows.pairs());
  std::vector<double> cos(entries), sin(entries);
  wide_walk(wide_rows(simd_rows.plan, target, unit)).rows(positions, cos.data(), sin.data());
  std::vector<std::uint64_t> wanted_cos(entries), wanted_sin(entries);
  simd_rows.plan.rows.rows<double>(positions, unit, wanted_cos.data(), wanted_sin.data());
  for (std::size_t i = 0; i < entries; ++i) {
    ASSERT_EQ(to_bits(cos[i]), wanted_cos[i]) << target.name << ' ' << i;
    ASSERT_EQ(to_bits(sin[i]), wanted_sin[i]) << target.name << ' ' << i;
  }
}

TEST(WideRows, EveryTargetGivesTheBitsOfExactArithmetic) {
  for (const simd::target* target : simd::targets())
    for (const rope& config : {oracle::gpt_neox, ten_still_pairs, ten_slow_pairs}) {
      expect_exact(config, *target, {-700, 700}, false);
      expect_exact(config, *target, {smallest_position, smallest_position + 1100}, true);
    }
}

TEST(WideRows, AFactorIsPartOfTheSum) {
  for (const bool unit : {false, true})
    expect_exact(oracle::qwen_yarn, *simd::targets().front(), {100, 1500}, unit);
}

TEST(WideRows, RunsOfAnyLength) {
  expect_exact(oracle::llama_2, *simd::targets().front(), {0, 1}, false);
  expect_exact(oracle::llama_2, *simd::targets().front(), {largest_position - 9, largest_position + 1},
               false);
}

TEST(WideRows, AreCorrectlyRoundedByMpfr) {
  const vector_rows simd_rows(oracle::llama_31, *simd::targets().front());
  constexpr position_range positions{130'000, 131'072};
  const std::size_t entries = static_cast<std::size_t>(size(positions)) * 64;
  std::vector<double> cos(entries), sin(entries);
  const wide_rows rows(simd_rows.plan, *simd::targets().front(), false);
  wide_walk walk(rows);
  walk.rows(positions, cos.data(), sin.data());
  for (std::size_t i = 0; i < entries; ++i) {
    const auto truth =
        simd_rows.oracle.at(positions.begin + static_cast<std::int64_t>(i / 64), static_cast<int>(i % 64));
    ASSERT_EQ(to_bits(cos[i]), truth.cos.in<double>()) << i;
    ASSERT_EQ(to_bits(sin[i]), truth.sin.in<double>()) << i;
  }
  EXPECT_EQ(walk.decided_exactly(), 0) << "no entry here is that hard";
}

}  // namespace
}  // namespace ropewalk::test
