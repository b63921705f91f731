#pragma once
// A pool of threads as benchmarks need it: each thread on a processor of its own, and its departures counted.

#include <cstddef>
#include <exception>
#include <functional>
#include <optional>
#include <vector>

#include "bench/processors.hpp"
#include "ropewalk/kernel/thread_pool.hpp"

namespace ropewalk::bench {

/// A pool whose threads, the maker's the first, stay on processors of their own if there are enough. The
/// maker's thread is free again when the team ends.
class thread_team {
 public:
  /// domain  members >= 1; the team ends on the thread that made it, and no other team lives meanwhile
  /// throws  std::runtime_error: a thread does not start
  explicit thread_team(int members);
  thread_team(const thread_team&) = delete;
  thread_team& operator=(const thread_team&) = delete;

  int members() const { return static_cast<int>(failures_.size()); }
  thread_pool& pool() { return *pool_; }

  /// Calls work(member) for members 0 .. members() - 1, each on its own thread, and returns when all ended.
  /// A pool alone may have the caller do what another thread begins late.
  ///
  /// domain  called by the thread that made the team, outside a run
  /// throws  what work throws: the first failure in order of members
  void run(const std::function<void(int)>& work);

  /// How often members have lost their processors so far. A call during which it grows was timed together
  /// with whatever ran there meanwhile.
  long departures();

 private:
  void attempt(const std::function<void(int)>& work, int member) noexcept;

  std::vector<std::exception_ptr> failures_;  // by member, of the present run
  std::optional<thread_pool> pool_;
  std::optional<moved_thread> maker_;
};

/// Copies bytes with every thread of a pool copying one contiguous part.
void copy_on(thread_pool& pool, std::byte* to, const std::byte* from, std::size_t bytes);

}  // namespace ropewalk::bench
