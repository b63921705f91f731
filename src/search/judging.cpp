#include "search/judging.hpp"

#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <cstdlib>
#include <string>
#include <system_error>
#include <vector>

namespace ropewalk::search {
namespace {

// The kernel that this thread is judging. A signal handler may read it: it runs on the thread that crashed.
thread_local const char* judged_kernel = nullptr;
thread_local std::string_view judged_law;

void say(std::string_view words) {
  while (!words.empty()) {
    const ssize_t written = ::write(STDERR_FILENO, words.data(), words.size());
    if (written <= 0) return;
    words.remove_prefix(static_cast<std::size_t>(written));
  }
}

void name_kernel(std::string_view name, const char* kernel, std::string_view law) {
  say("ropewalk: ");
  say(name);
  say(" while judging ");
  say(kernel);
  say(" (");
  say(law);
  say("); --skip-law ");
  say(law);
  say("=REASON leaves that law out\n");
}

extern "C" void name_kernel_and_crash(int signal) {
  if (judged_kernel != nullptr) name_kernel("crashed", judged_kernel, judged_law);
  ::raise(signal);  // SA_RESETHAND restored the default action, which follows when this handler returns
}

/// Registered with atexit: runs on the thread that called exit().
extern "C" void name_kernel_that_exits() {
  if (judged_kernel == nullptr) return;
  name_kernel("the program was ended", judged_kernel, judged_law);
  ::_exit(1);
}

using watch_clock = std::chrono::steady_clock;

/// The kernel that one thread is judging, and since when.
struct watched_thread {
  const char* kernel = nullptr;  // NULL: the slot is free
  std::string_view law{};
  watch_clock::time_point since{};
};

std::mutex watched_mutex;
std::vector<watched_thread> threads_watched;

}  // namespace

judging::judging(const char* kernel, std::string_view law) {
  judged_law = law;
  judged_kernel = kernel;
  const std::lock_guard lock(watched_mutex);
  const auto free = std::find_if(threads_watched.begin(), threads_watched.end(),
                                 [](const auto& item) { return item.kernel == nullptr; });
  slot_ = static_cast<std::size_t>(free - threads_watched.begin());
  if (free == threads_watched.end()) threads_watched.emplace_back();
  threads_watched[slot_] = {kernel, law, watch_clock::now()};
}

judging::~judging() {
  judged_kernel = nullptr;
  const std::lock_guard lock(watched_mutex);
  threads_watched[slot_] = {};
}

void judging::go_on() {
  const std::lock_guard lock(watched_mutex);
  threads_watched[slot_].since = watch_clock::now();
}

hang_watch::hang_watch(std::chrono::seconds longest) try
    : thread_([this, longest] {
        std::unique_lock lock(mutex_);
        while (!ended_.wait_for(lock, std::chrono::seconds(1), [this] { return is_ended_; })) {
          const std::lock_guard watching(watched_mutex);
          for (const watched_thread& thread : threads_watched) {
            if (thread.kernel == nullptr || watch_clock::now() - thread.since < longest) continue;
            name_kernel("no call returned for " + std::to_string(longest.count()) + " s", thread.kernel,
                        thread.law);
            ::_exit(1);
          }
        }
      }) {
} catch (const std::system_error& failure) {
  throw std::system_error(failure.code(), "starting the thread that ends calls that hang");
}

hang_watch::~hang_watch() {
  {
    const std::lock_guard lock(mutex_);
    is_ended_ = true;
  }
  ended_.notify_all();
  thread_.join();
}

void name_kernel_on_crash() {
  static const bool is_registered = std::atexit(name_kernel_that_exits) == 0;
  static_cast<void>(is_registered);
  for (const int signal : {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT}) {
    struct sigaction before {};
    if (::sigaction(signal, nullptr, &before) != 0 || before.sa_handler != SIG_DFL) continue;
    struct sigaction wanted {};
    wanted.sa_handler = name_kernel_and_crash;
    wanted.sa_flags = static_cast<int>(SA_RESETHAND);
    ::sigaction(signal, &wanted, nullptr);
  }
}

}  // namespace ropewalk::search
