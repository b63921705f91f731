#include "export/rows_in_order.hpp"

#include <algorithm>
#include <exception>
#include <thread>
#include <vector>

namespace ropewalk::output {

void in_order(std::int64_t rows, std::int64_t rows_a_run, int threads, progress_bar& progress,
              const std::function<void(row_run, int)>& make, const std::function<void(row_run, int)>& use) {
  for (std::int64_t done = 0; done < rows;) {
    std::vector<row_run> runs;
    for (std::int64_t first = done; first < rows && static_cast<int>(runs.size()) < threads;
         first += rows_a_run)
      runs.push_back({first, std::min(rows_a_run, rows - first)});
    std::vector<std::exception_ptr> failures(runs.size());
    const auto work = [&](std::size_t slot) {
      try {
        make(runs[slot], static_cast<int>(slot));
      } catch (...) {
        failures[slot] = std::current_exception();
      }
    };
    {
      std::vector<std::jthread> workers;
      for (std::size_t slot = 1; slot < runs.size(); ++slot) workers.emplace_back(work, slot);
      work(0);
    }
    for (std::size_t slot = 0; slot < runs.size(); ++slot) {
      if (failures[slot]) std::rethrow_exception(failures[slot]);
      use(runs[slot], static_cast<int>(slot));
      done += runs[slot].count;
      progress.show(static_cast<std::uint64_t>(done));
    }
  }
}

std::int64_t rows_a_run(std::int64_t columns) {
  constexpr std::int64_t entries = 1 << 16;
  return std::max<std::int64_t>(1, entries / columns);
}

}  // namespace ropewalk::output
