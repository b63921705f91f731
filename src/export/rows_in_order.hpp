#pragma once
// Rows read in order, made on several threads and used in order. The result does not depend on the number of
// threads, and memory use does not depend on the number of rows.

#include <cstdint>
#include <functional>

#include "output/terminal.hpp"
#include "ropewalk/table/in_order.hpp"

namespace ropewalk::tables {

using ropewalk::row_run;

/// One stage of the work on a run of rows; `slot` is a number below slots(threads) that no other run has
/// until this one is used.
using row_stage = std::function<void(row_run run, int slot)>;

/// What is done to each run, stage after stage. `take` and `use` see the runs in order, one at a time; `make`
/// gets several at once. `use` runs on the caller's thread.
struct row_stages {
  row_stage take{};  // reads what `make` needs; may be left out
  row_stage make;
  row_stage use;
};

/// Number of runs under way at once: while one is used, others are taken and made.
constexpr int slots(int threads) { return threads == 1 ? 1 : 2 * threads; }

/// Sends runs that cover rows 0 .. rows - 1 through the stages, on the caller's thread and threads - 1
/// others.
///
/// domain  rows_per_run >= 1; threads >= 1
/// throws  the first failure of a stage, in order of rows; the runs before it are used
void in_order(std::int64_t rows, std::int64_t rows_per_run, int threads, output::progress_bar& progress,
              const row_stages& stages);

/// Number of rows of `columns` entries in one run: enough work for a thread.
std::int64_t rows_per_run(std::int64_t columns);

}  // namespace ropewalk::tables
