#pragma once
// Rows made on several threads and used in order. The result does not depend on the number of threads, and
// memory use does not depend on the number of rows.

#include <cstdint>
#include <functional>

#include "export/terminal.hpp"
#include "ropewalk/table/in_order.hpp"

namespace ropewalk::output {

using ropewalk::row_run;

/// ropewalk::in_order with a progress bar.
///
/// throws  what make or use throws
void in_order(std::int64_t rows, std::int64_t rows_a_run, int threads, progress_bar& progress,
              const std::function<void(row_run, int)>& make, const std::function<void(row_run, int)>& use);

/// Number of rows of `columns` entries in one run: enough work for a thread.
std::int64_t rows_a_run(std::int64_t columns);

}  // namespace ropewalk::output
