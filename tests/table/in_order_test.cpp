// Shares of work, and rows made by many threads: each once, in order, and the first failure is rethrown.

#include "ropewalk/table/in_order.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <stdexcept>
#include <string>
#include <vector>

namespace ropewalk {
namespace {

TEST(OnThreads, DoesEachShareOnce) {
  for (const int shares : {1, 2, 7, 40}) {
    std::vector<std::atomic<int>> done(static_cast<std::size_t>(shares));
    on_threads(shares, [&](int share) { ++done[static_cast<std::size_t>(share)]; });
    for (const std::atomic<int>& first : done) EXPECT_EQ(first, 1);
  }
}

TEST(OnThreads, ThrowsTheFirstFailureInOrderAfterAllHaveEnded) {
  std::atomic<int> ended = 0;
  try {
    on_threads(6, [&](int share) {
      ++ended;
      if (share % 2 == 1) throw std::runtime_error(std::to_string(share));
    });
    ADD_FAILURE() << "no failure came through";
  } catch (const std::runtime_error& failure) {
    EXPECT_EQ(failure.what(), std::string("1"));
  }
  EXPECT_EQ(ended, 6);
}

TEST(InOrder, UsesEveryRowOnceInOrderForAnyNumberOfThreads) {
  for (const std::int64_t rows : {0, 1, 5, 64, 65})
    for (const std::int64_t rows_per_run : {1, 7, 64})
      for (const int threads : {1, 2, 5}) {
        std::vector<row_run> made(static_cast<std::size_t>(threads));
        std::int64_t next = 0;
        in_order(
            rows, rows_per_run, threads,
            [&](row_run run, int slot) { made.at(static_cast<std::size_t>(slot)) = run; },
            [&](row_run run, int slot) {
              EXPECT_EQ(made[static_cast<std::size_t>(slot)].first, run.first);
              EXPECT_EQ(run.first, next);
              EXPECT_GE(run.count, 1);
              EXPECT_LE(run.count, rows_per_run);
              next += run.count;
            });
        EXPECT_EQ(next, rows);
      }
}

TEST(InOrder, UsesNothingOfABatchThatFailed) {
  std::int64_t used = 0;
  const auto make = [](row_run run, int) {
    if (run.first == 30) throw std::length_error("row 30");
  };
  EXPECT_THROW(in_order(100, 10, 2, make, [&](row_run run, int) { used += run.count; }), std::length_error);
  EXPECT_EQ(used, 20);
}

}  // namespace
}  // namespace ropewalk
