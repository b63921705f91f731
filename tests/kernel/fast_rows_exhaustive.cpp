// Compares rows computed by SIMD code with MPFR: 10^8 random entries, and the hardest entries, which are all
// that SIMD code leaves undecided for Llama 2 at signed 32-bit positions.

#include <gtest/gtest.h>

#include <iostream>
#include <mutex>
#include <random>
#include <vector>

#include "kernel/fast_rows_case.hpp"
#include "oracle/models.hpp"

namespace ropewalk::test {
namespace {

TEST(FastRowsExhaustive, RandomRowsOfFourModels) {
  constexpr std::int64_t entries = 100'000'000, rows_at_once = 1000;
  const rope configs[] = {oracle::llama_2, oracle::llama_31, oracle::qwen_yarn, oracle::gpt_neox};
  wrong_floats total;
  for (const rope& config : configs) {
    const vector_rows simd_rows(config, *simd::targets().front());
    const std::int64_t rows = entries / 4 / (2 * simd_rows.rows.pairs());
    const wrong_floats wrong = oracle::on_every_core(rows / rows_at_once + 1, [&](std::int64_t index) {
      std::mt19937_64 random(static_cast<std::uint64_t>(index));
      row_space<float> space(simd_rows.rows.pairs());
      wrong_floats row_result;
      for (std::int64_t row = 0; row < rows_at_once; ++row) {
        const auto distant = static_cast<std::int32_t>(random());
        const std::int64_t position = row % 2 == 0 ? distant : distant >> (random() % 32);
        simd_rows.rows.row(position, false, space.cos(), space.sin(), space.undecided());
        row_result += compare_row(simd_rows.oracle, position, space.cos(), space.sin());
      }
      return row_result;
    });
    EXPECT_EQ(wrong.wrong, 0) << wrong;
    total += wrong;
  }
  EXPECT_GE(total.entries, entries);
  std::cout << total << "\n";
}

TEST(FastRowsExhaustive, EveryUndecidedEntryOfLlama2) {
  const vector_rows simd_rows(oracle::llama_2, *simd::targets().front());
  std::mutex sum_mutex;
  wrong_floats wrong;
  for_each_undecided(simd_rows, [&](std::int64_t position, std::span<const std::uint16_t> pairs) {
    row_space<float> space(simd_rows.rows.pairs());
    wrong_floats row_result;
    simd_rows.rows.row(position, false, space.cos(), space.sin(), space.undecided());
    for (const std::uint16_t pair : pairs)
      row_result += compare_entry(simd_rows.oracle, position, pair, space.cos()[pair], space.sin()[pair]);
    const std::lock_guard lock(sum_mutex);
    wrong += row_result;
  });
  EXPECT_EQ(wrong.wrong, 0) << wrong;
  EXPECT_GT(wrong.entries, 10'000);
  std::cout << wrong << "\n";
}

}  // namespace
}  // namespace ropewalk::test
