#pragma once
// A pool of threads for benchmarks: each thread is pinned to its own processor, and preemptions are counted.

#include <cstddef>
#include <exception>
#include <functional>
#include <optional>
#include <vector>

#include "bench/processors.hpp"
#include "ropewalk/kernel/thread_pool.hpp"

namespace ropewalk::bench {

/// A pool whose threads, with the maker's thread as the first, are pinned to separate processors if there are
/// enough. The maker's thread is released when the team ends.
class thread_team {
 public:
  /// domain  members >= 1; the team ends on the thread that made it; only one team exists at a time
  /// throws  std::runtime_error if a thread does not start
  explicit thread_team(int members);
  thread_team(const thread_team&) = delete;
  thread_team& operator=(const thread_team&) = delete;

  int members() const { return static_cast<int>(failures_.size()); }
  thread_pool& pool() { return *pool_; }

  /// Calls work(member) for members 0 .. members() - 1, each on its own thread, and returns when all have
  /// ended. In a plain pool, the caller may run work that another thread begins late.
  ///
  /// domain  called by the thread that made the team, outside a run
  /// throws  the first exception of `work`, in order of members
  void run(const std::function<void(int)>& work);

  /// Number of preemptions of members so far. If it grows during a call, the call's time includes other
  /// programs.
  long departures();

 private:
  void attempt(const std::function<void(int)>& work, int member) noexcept;

  std::vector<std::exception_ptr> failures_;  // by member, for the current run
  std::optional<thread_pool> pool_;
  std::optional<moved_thread> maker_;
};

/// Copies bytes; each thread of a pool copies one contiguous part.
void copy_on(thread_pool& pool, std::byte* to, const std::byte* from, std::size_t bytes);

}  // namespace ropewalk::bench
