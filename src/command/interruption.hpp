#pragma once
// Ctrl-C during long work that ends well: what is done so far is kept or printed first.

#include <atomic>
#include <csignal>

namespace ropewalk::command {

/// Set by Ctrl-C while an `interruption` lives.
inline std::atomic<bool> was_interrupted{false};

/// While it lives, Ctrl-C ends the work but not the program; then the previous handler is restored, and the
/// command raises SIGINT again, so that the parent process sees it. If SIGINT is ignored, as shells set
/// it for background jobs, it stays ignored.
class interruption {
 public:
  interruption() : before_(std::signal(SIGINT, [](int) { was_interrupted = true; })) {
    if (before_ == SIG_IGN) restore();
  }
  ~interruption() { restore(); }
  interruption(const interruption&) = delete;
  interruption& operator=(const interruption&) = delete;

  void restore() {
    if (before_ != SIG_ERR) std::signal(SIGINT, before_);
    before_ = SIG_ERR;
  }

 private:
  void (*before_)(int);
};

}  // namespace ropewalk::command
