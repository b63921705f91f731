// Rows through their stages: each run once, taken and used in order, made on several threads; the first
// failure in order of rows ends them.

#include "export/rows_in_order.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

namespace ropewalk::tables::rows_in_order_test {
namespace {

/// The runs that reach each stage; `fails_at` is a stage's row at which it throws, -1 for none.
struct line {
  std::vector<std::int64_t> taken, used;  // first rows
  std::atomic<int> made = 0;
  std::int64_t take_fails_at = -1, make_fails_at = -1, use_fails_at = -1;

  void run(std::int64_t rows, std::int64_t rows_per_run, int threads) {
    std::vector<std::int64_t> in_slot(static_cast<std::size_t>(slots(threads)), -1);
    output::progress_bar progress("rows", static_cast<std::uint64_t>(rows), true);
    const auto fail = [](std::int64_t row) { throw std::runtime_error(std::to_string(row)); };
    in_order(rows, rows_per_run, threads, progress,
             {.take =
                  [&](row_run part, int slot) {
                    taken.push_back(part.first);
                    in_slot.at(static_cast<std::size_t>(slot)) = part.first;
                    if (part.first == take_fails_at) fail(part.first);
                  },
              .make =
                  [&](row_run part, int slot) {
                    EXPECT_EQ(in_slot.at(static_cast<std::size_t>(slot)), part.first);
                    ++made;
                    if (part.first == make_fails_at) fail(part.first);
                  },
              .use =
                  [&](row_run part, int slot) {
                    EXPECT_EQ(in_slot.at(static_cast<std::size_t>(slot)), part.first);
                    EXPECT_GE(part.count, 1);
                    EXPECT_LE(part.count, rows_per_run);
                    if (part.first == use_fails_at) fail(part.first);
                    used.push_back(part.first);
                  }});
  }
};

std::vector<std::int64_t> first_rows(std::int64_t rows, std::int64_t rows_per_run) {
  std::vector<std::int64_t> numbers;
  for (std::int64_t row = 0; row < rows; row += rows_per_run) numbers.push_back(row);
  return numbers;
}

TEST(RowsInOrder, EveryRunPassesEveryStageOnce) {
  for (const std::int64_t rows : {0, 1, 5, 64, 1001})
    for (const std::int64_t rows_per_run : {1, 7, 64})
      for (const int threads : {1, 2, 5}) {
        line all;
        all.run(rows, rows_per_run, threads);
        EXPECT_EQ(all.taken, first_rows(rows, rows_per_run));
        EXPECT_EQ(all.used, first_rows(rows, rows_per_run));
        EXPECT_EQ(all.made, static_cast<int>(all.used.size()));
      }
}

TEST(RowsInOrder, TheFirstFailureEndsThemAfterTheRunsBeforeIt) {
  for (std::int64_t line::*const stage : {&line::take_fails_at, &line::make_fails_at, &line::use_fails_at})
    for (const int threads : {1, 2, 5})
      for (const std::int64_t row : {0, 40, 90}) {
        line all;
        all.*stage = row;
        try {
          all.run(100, 10, threads);
          ADD_FAILURE() << "no failure came through";
        } catch (const std::runtime_error& failure) {
          EXPECT_EQ(failure.what(), std::to_string(row));
        }
        EXPECT_EQ(all.used, first_rows(row, 10));
      }
}

TEST(RowsInOrder, RunsAreTakenWhileAnotherIsUsedButNoMoreThanThereAreSlots) {
  std::atomic<std::int64_t> taken = 0;
  std::int64_t used = 0;
  output::progress_bar progress("rows", 100, true);
  in_order(100, 1, 2, progress,
           {.take = [&](row_run, int) { ++taken; },
            .make = [](row_run, int) {},
            .use =
                [&](row_run, int) {
                  const std::int64_t most = std::min<std::int64_t>(used + slots(2), 100);
                  while (taken < most) std::this_thread::yield();
                  EXPECT_EQ(taken, most);
                  ++used;
                }});
}

}  // namespace
}  // namespace ropewalk::tables::rows_in_order_test
