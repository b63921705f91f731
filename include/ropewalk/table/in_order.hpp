#pragma once
// Work on several threads: independent shares, or rows that threads compute and the caller uses in order.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <system_error>
#include <thread>
#include <vector>

namespace ropewalk {

/// Calls work(share) for shares 0 .. shares - 1, each on its own thread, the first on the caller's. Shares
/// whose thread fails to start run on the caller's. No thread outlives the call.
///
/// domain  shares >= 1
/// throws  the exceptions of work: the first in order of shares, after all shares have ended
template <class Work>
void on_threads(int shares, const Work& work) {
  std::vector<std::exception_ptr> failures(static_cast<std::size_t>(shares));
  const auto run = [&](int share) noexcept {
    try {
      work(share);
    } catch (...) {
      failures[static_cast<std::size_t>(share)] = std::current_exception();
    }
  };
  {
    std::vector<std::jthread> threads;
    threads.reserve(failures.size());
    int started = 1;
    try {
      for (; started < shares; ++started) threads.emplace_back(run, started);
    } catch (const std::system_error&) {
      for (int share = started; share < shares; ++share) run(share);
    }
    run(0);
  }
  for (const std::exception_ptr& failure : failures)
    if (failure) std::rethrow_exception(failure);
}

/// A range of consecutive rows.
struct row_run {
  std::int64_t first = 0;
  std::int64_t count = 0;
};

/// Calls make(run, slot) for runs that cover rows 0 .. rows - 1, up to `threads` runs at once, each with its
/// own slot below `threads`. After each such batch it calls use(run, slot) on the caller's thread, run after
/// run, in order of rows. The arguments of `use` do not depend on the number of threads. Memory does not
/// depend on the number of rows.
///
/// domain  rows_per_run >= 1; threads >= 1
/// throws  the exceptions of make and use; if make fails in a batch, no run of that batch is used
template <class Make, class Use>
void in_order(std::int64_t rows, std::int64_t rows_per_run, int threads, const Make& make, const Use& use) {
  for (std::int64_t done = 0; done < rows;) {
    std::vector<row_run> runs;
    for (std::int64_t first = done; first < rows && static_cast<int>(runs.size()) < threads;
         first += rows_per_run)
      runs.push_back({first, std::min(rows_per_run, rows - first)});
    on_threads(static_cast<int>(runs.size()),
               [&](int slot) { make(runs[static_cast<std::size_t>(slot)], slot); });
    for (std::size_t slot = 0; slot < runs.size(); ++slot) {
      use(runs[slot], static_cast<int>(slot));
      done += runs[slot].count;
    }
  }
}

}  // namespace ropewalk
