#pragma once
// Rows made by many threads and used in order: the result does not depend on the number of threads, nor does
// the memory on the number of rows.

#include <cstdint>
#include <functional>

#include "export/terminal.hpp"

namespace ropewalk::output {

/// A run of rows.
struct row_run {
  std::int64_t first = 0;
  std::int64_t count = 0;
};

/// Calls make(run, slot) for runs that cover rows 0 .. rows - 1, up to `threads` at once, each with its own
/// slot below `threads`, and then use(run, slot) one after the other, in the order of the rows.
///
/// throws  what make or use throws: the first failure in the order of the rows
void in_order(std::int64_t rows, std::int64_t rows_a_run, int threads, progress_bar& progress,
              const std::function<void(row_run, int)>& make, const std::function<void(row_run, int)>& use);

/// How many rows of `columns` entries make a piece of work worth a thread.
std::int64_t rows_a_run(std::int64_t columns);

}  // namespace ropewalk::output
