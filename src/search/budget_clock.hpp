#pragma once
// The clock of budgets: the processor time of this process and of those that it judges, so that the same work
// is asked on a busy machine as on one at rest.

#include <sys/types.h>

#include <chrono>

namespace ropewalk::search {

/// A budget is given up at so many times its seconds of waiting, however little is computed.
inline constexpr int most_waiting = 3;

/// Processor time since the program began, or a part (1 / most_waiting) of the time that passed where that is
/// more: a device's time, and a silent kernel's, is no processor time. Never goes back.
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

/// While it lives, the processor time of a process is counted with this program's, until it ends.
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
