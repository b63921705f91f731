#pragma once
// Process state that a host of a library relies on, and that the library may not change.

#include <sched.h>
#include <sys/types.h>

#include <array>
#include <csignal>
#include <string>
#include <utility>

namespace ropewalk::transport {

/// Handlers and mask of signals, locale, working directory, umask, environment variables, standard streams,
/// buffering of standard output, and the processors of the calling thread. Every call compares the
/// floating-point environment separately.
class process_state {
 public:
  /// The current state.
  process_state();

  /// The first difference from an earlier state: "the handler of signal 11 (SIGSEGV)"; empty if there is
  /// none.
  std::string difference_from(const process_state& before) const;

 private:
  static constexpr int signals = 32;  // 1 to 31
  using file = std::pair<dev_t, ino_t>;

  std::array<void*, signals> handlers_{};
  sigset_t mask_{};
  std::string locale_;
  file directory_{};
  mode_t umask_ = 0;
  std::string environment_;  // one line per variable
  std::array<file, 3> streams_{};
  std::array<bool, 2> buffering_{};  // whether standard output is unbuffered, or buffered by line
  cpu_set_t processors_{};
};

}  // namespace ropewalk::transport
