#include "export/rows_in_order.hpp"

#include <algorithm>

namespace ropewalk::output {

void in_order(std::int64_t rows, std::int64_t rows_a_run, int threads, progress_bar& progress,
              const std::function<void(row_run, int)>& make, const std::function<void(row_run, int)>& use) {
  ropewalk::in_order(rows, rows_a_run, threads, make, [&](row_run run, int slot) {
    use(run, slot);
    progress.show(static_cast<std::uint64_t>(run.first + run.count));
  });
}

std::int64_t rows_a_run(std::int64_t columns) {
  constexpr std::int64_t entries = 1 << 16;
  return std::max<std::int64_t>(1, entries / columns);
}

}  // namespace ropewalk::output
