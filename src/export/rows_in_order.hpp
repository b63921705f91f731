#pragma once
// Rows made by many threads and used in order: the result does not depend on the number of threads, nor does
// the memory on the number of rows.

#include <cstdint>
#include <functional>

#include "export/terminal.hpp"
#include "ropewalk/table/in_order.hpp"

namespace ropewalk::output {

using ropewalk::row_run;

/// ropewalk::in_order, which shows its progress.
///
/// throws  what make or use throws
void in_order(std::int64_t rows, std::int64_t rows_a_run, int threads, progress_bar& progress,
              const std::function<void(row_run, int)>& make, const std::function<void(row_run, int)>& use);

/// How many rows of `columns` entries make a piece of work worth a thread.
std::int64_t rows_a_run(std::int64_t columns);

}  // namespace ropewalk::output
