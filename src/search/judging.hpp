#pragma once
// Which kernel a thread is judging, so that a crash, an end of the program and a call without end can name it.

#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <mutex>
#include <string_view>
#include <thread>

namespace ropewalk::search {

/// While it lives, what ends this thread is the kernel's doing, under that law.
class judging {
 public:
  judging(const char* kernel, std::string_view law);
  ~judging();
  /// A case is through: the kernel has come back.
  void go_on();
  judging(const judging&) = delete;
  judging& operator=(const judging&) = delete;

 private:
  std::size_t slot_;
};

/// From here on a crash while a kernel is judged writes one line to stderr before the signal takes its course, and a kernel
/// that ends the program gets such a line and exit code 1. A signal handler that stands already is left alone.
void name_kernel_on_crash();

/// While it lives, a kernel that takes longer for one case gets a line on stderr, and the program ends with exit code 1.
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
