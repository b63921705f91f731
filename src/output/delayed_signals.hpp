#pragma once
// Signals that end the program, and a moment in which they must wait.

#include <csignal>

namespace ropewalk::output {

inline constexpr int ending_signals[] = {SIGINT, SIGTERM, SIGHUP};

/// While it lives, signals that end the program wait: no file has a name that the handler does not know.
class delayed_signals {
 public:
  delayed_signals() {
    sigset_t ending;
    sigemptyset(&ending);
    for (const int signal : ending_signals) sigaddset(&ending, signal);
    ::pthread_sigmask(SIG_BLOCK, &ending, &before_);
  }
  ~delayed_signals() { ::pthread_sigmask(SIG_SETMASK, &before_, nullptr); }
  delayed_signals(const delayed_signals&) = delete;
  delayed_signals& operator=(const delayed_signals&) = delete;

 private:
  sigset_t before_{};
};

}  // namespace ropewalk::output
