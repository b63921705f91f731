#pragma once
// Pins threads to processors. Otherwise the scheduler may put two threads of a benchmark on one processor,
// where each waits while the other spins.

#include <string_view>
#include <vector>

namespace ropewalk::bench {

/// The processors that this process may use: one of each core first, then the cores' other hardware threads.
/// Empty if the system does not state them.
std::vector<int> usable_processors();

/// The first processor in a list as the system writes it, such as "0-1", "2,34" or "7"; -1 if there is none.
int first_processor(std::string_view list);

/// Number of times the system has preempted the calling thread so far. Voluntary waits, for a device or
/// another thread, do not count.
long departures();

/// Pins a thread to a processor, and restores its allowed processors at the end.
class moved_thread {
 public:
  moved_thread() = default;
  /// Moves the calling thread; if the system refuses, the thread stays as it is.
  explicit moved_thread(int processor);
  moved_thread(const moved_thread&) = delete;
  moved_thread& operator=(const moved_thread&) = delete;
  /// Must run on the thread that was moved.
  ~moved_thread();

 private:
  std::vector<int> before_;  // empty: nothing to restore
};

}  // namespace ropewalk::bench
