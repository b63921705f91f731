#pragma once
// Records which kernel each thread is judging, so that a message can name it after a crash, an exit or a
// hang.

#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <mutex>
#include <string_view>
#include <thread>

namespace ropewalk::search {

/// While alive, crashes, exits and hangs of this thread are attributed to the kernel and law.
class judging {
 public:
  judging(const char* kernel, std::string_view law);
  ~judging();
  /// Restarts the hang watch: the kernel has returned from a case.
  void go_on();
  judging(const judging&) = delete;
  judging& operator=(const judging&) = delete;

 private:
  std::size_t slot_;
};

/// Installs handlers for kernels that crash or exit. For a crash while a kernel is judged, writes one line to
/// stderr before the signal's default action. For a call of exit(), writes such a line and ends with exit
/// code 1. Signals that already have a handler keep it.
void name_kernel_on_crash();

/// While alive, ends the program with exit code 1 if a case takes a kernel longer than `longest`, and names
/// the kernel on stderr.
class hang_watch {
 public:
  explicit hang_watch(std::chrono::seconds longest);
  ~hang_watch();
  hang_watch(const hang_watch&) = delete;
  hang_watch& operator=(const hang_watch&) = delete;

 private:
  std::mutex mutex_;
  std::condition_variable ended_;
  bool is_ended_ = false;
  std::thread thread_;
};

}  // namespace ropewalk::search
