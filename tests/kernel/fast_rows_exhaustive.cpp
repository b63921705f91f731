// Rows of vectors against MPFR: 10^8 random entries, and every entry of a model that vectors leave undecided at any signed
// 32-bit position, which are the hardest there are.

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <iostream>
#include <mutex>
#include <random>
#include <thread>
#include <vector>

#include "kernel/fast_rows_case.hpp"
#include "oracle/models.hpp"

namespace ropewalk::test {
namespace {

/// Adds up work(index) -> wrong_floats for 0 .. count - 1, on every core.
template <class Work>
wrong_floats on_every_core(std::int64_t count, const Work& work) {
  std::atomic<std::int64_t> next = 0;
  std::mutex sum_mutex;
  wrong_floats sum;
  {
    std::vector<std::jthread> workers;
    for (unsigned i = 0; i < std::max(1u, std::thread::hardware_concurrency()); ++i)
      workers.emplace_back([&] {
        for (std::int64_t index = next++; index < count; index = next++) {
          const wrong_floats found = work(index);
          const std::lock_guard lock(sum_mutex);
          sum += found;
        }
      });
  }
  return sum;
}

TEST(FastRowsExhaustive, RandomRowsOfFourModels) {
  constexpr std::int64_t entries = 100'000'000, rows_at_once = 1000;
  const rope configs[] = {oracle::llama_2, oracle::llama_31, oracle::qwen_yarn, oracle::gpt_neox};
  wrong_floats all;
  for (const rope& config : configs) {
    const vector_rows given(config, *simd::targets().front());
    const std::int64_t rows = entries / 4 / (2 * given.rows.pairs());
    const wrong_floats found = on_every_core(rows / rows_at_once + 1, [&](std::int64_t index) {
      std::mt19937_64 random(static_cast<std::uint64_t>(index));
      row_space<float> space(given.rows.pairs());
      wrong_floats r;
      for (std::int64_t row = 0; row < rows_at_once; ++row) {
        const auto far = static_cast<std::int32_t>(random());
        const std::int64_t position = row % 2 == 0 ? far : far >> (random() % 32);
        given.rows.row(position, false, space.cos(), space.sin(), space.undecided());
        r += compare_row(given.oracle, position, space.cos(), space.sin());
      }
      return r;
    });
    EXPECT_EQ(found.wrong, 0) << found;
    all += found;
  }
  EXPECT_GE(all.entries, entries);
  std::cout << all << "\n";
}

TEST(FastRowsExhaustive, EveryUndecidedEntryOfLlama2) {
  constexpr std::int64_t positions_at_once = std::int64_t{1} << 20;
  const vector_rows given(oracle::llama_2, *simd::targets().front());
  const wrong_floats found =
      on_every_core((largest_position + 1) / positions_at_once, [&](std::int64_t index) {
        row_space<float> space(given.rows.pairs());
        std::vector<std::uint16_t> listed(64);
        wrong_floats r;
        for (std::int64_t p = index * positions_at_once + 1; p <= (index + 1) * positions_at_once; ++p) {
          // The largest magnitude is that of the smallest position alone.
          const std::int64_t position = p <= largest_position ? p : -p;
          const int count = given.rows.try_row(position, false, space.cos(), space.sin(), listed.data());
          if (count == 0) continue;
          for (const std::int64_t signed_position : {position, p <= largest_position ? -p : position}) {
            given.rows.row(signed_position, false, space.cos(), space.sin(), space.undecided());
            for (int i = 0; i < count; ++i) {
              const int pair = listed[static_cast<std::size_t>(i)];
              r += compare_entry(given.oracle, signed_position, pair, space.cos()[pair], space.sin()[pair]);
            }
          }
        }
        return r;
      });
  EXPECT_EQ(found.wrong, 0) << found;
  EXPECT_GT(found.entries, 10'000);
  std::cout << found << "\n";
}

}  // namespace
}  // namespace ropewalk::test
