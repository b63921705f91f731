#pragma once
// The clock of budgets: processor time of this process and of the kernels' processes, so that a busy machine
// runs as many cases as an idle one.

#include <sys/types.h>

#include <chrono>

namespace ropewalk::search {

/// Waiting uses up a budget after this many times its seconds, however little is computed.
inline constexpr int most_waiting = 3;

/// Processor time since the program began, or 1 / most_waiting of the elapsed time if that is more: a device
/// and a kernel that does not answer use no processor time. Never goes back.
///
/// shape   a clock of std::chrono
struct budget_clock {
  using duration = std::chrono::nanoseconds;
  using rep = duration::rep;
  using period = duration::period;
  using time_point = std::chrono::time_point<budget_clock>;
  static constexpr bool is_steady = true;

  static time_point now();
};

/// Seconds of processor time of this process, of its children that have ended, and of the processes counted.
double processor_seconds();

/// Counts the processor time of a process with this program's, until the process or this object ends.
class counted_process {
 public:
  counted_process() = default;
  explicit counted_process(pid_t process);
  ~counted_process();
  counted_process(const counted_process&) = delete;
  counted_process& operator=(const counted_process&) = delete;

 private:
  pid_t process_ = -1;
};

}  // namespace ropewalk::search
