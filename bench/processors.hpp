#pragma once
// Processors that threads stay on. Where other programs run, the scheduler may put two threads of a benchmark
// on one processor, and each waits while the other spins.

#include <string_view>
#include <vector>

namespace ropewalk::bench {

/// The processors that this process may use: one of each core first, then the cores' other hardware threads.
/// Empty where the system does not say.
std::vector<int> usable_processors();

/// The first processor of a list as the system writes them, such as "0-1", "2,34" or "7"; -1 if there is
/// none.
int first_processor(std::string_view list);

/// How often the system has taken the processor away from the calling thread so far. Waiting of its own
/// accord, for a device or another thread, does not count.
long departures();

/// The processors that a thread was allowed before it was moved to one.
class moved_thread {
 public:
  moved_thread() = default;
  /// Moves the calling thread; where the system refuses, the thread stays as it is.
  explicit moved_thread(int processor);
  moved_thread(const moved_thread&) = delete;
  moved_thread& operator=(const moved_thread&) = delete;
  /// Must run on the thread that was moved.
  ~moved_thread();

 private:
  std::vector<int> before_;  // empty: nothing to restore
};

}  // namespace ropewalk::bench
