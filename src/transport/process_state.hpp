#pragma once
// State of a process on which a program that loads a library relies, and which the library may not change.

#include <sched.h>
#include <sys/types.h>

#include <array>
#include <csignal>
#include <string>
#include <utility>

namespace ropewalk::transport {

/// Handlers and mask of signals, locale, working directory, umask, environment variables, standard streams,
/// buffering of standard output, and the processors of the calling thread. The floating-point environment is
/// compared elsewhere, in every call.
class process_state {
 public:
  /// As it is now.
  process_state();

  /// What differs from an earlier state: "the handler of signal 11 (SIGSEGV)". Empty if nothing does.
  std::string difference_from(const process_state& before) const;

 private:
  static constexpr int signals = 32;  // 1 to 31
  using file = std::pair<dev_t, ino_t>;

  std::array<void*, signals> handlers_{};
  sigset_t mask_{};
  std::string locale_;
  file directory_{};
  mode_t umask_ = 0;
  std::string environment_;  // every variable, a line each
  std::array<file, 3> streams_{};
  std::array<bool, 2> buffering_{};  // whether standard output is unbuffered, or buffered by line
  cpu_set_t processors_{};
};

}  // namespace ropewalk::transport
