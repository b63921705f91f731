#pragma once
// A pool's threads as its tests see them.

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <filesystem>
#include <fstream>
#include <string>
#include <thread>
#include <vector>

#include "ropewalk/kernel/thread_pool.hpp"

namespace ropewalk::test {

/// Calls of operator new in this program so far (thread_pool_test.cpp).
extern std::atomic<long> allocations;

/// The states of this process's threads, such as "SSR": S sleeps, R runs.
inline std::string thread_states() {
  std::string states;
  for (const auto& thread : std::filesystem::directory_iterator("/proc/self/task")) {
    std::ifstream file(thread.path() / "stat");
    std::string text;
    std::getline(file, text);
    if (const auto name_end = text.rfind(") "); name_end != std::string::npos) states += text[name_end + 2];
  }
  return states;
}

/// Waits until the states of this process's threads are as asked; false after ten seconds. A thread that was
/// joined may be listed a little longer.
template <class Condition>
bool wait_for_states(const Condition& holds) {
  for (int i = 0; i < 10'000; ++i) {
    if (holds(thread_states())) return true;
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  return false;
}

/// Waits until all threads but this one sleep.
inline bool others_sleep() {
  return wait_for_states(
      [](const std::string& states) { return std::count(states.begin(), states.end(), 'R') <= 1; });
}

/// Waits until the process has so many threads.
inline bool has_threads(std::size_t count) {
  return wait_for_states([=](const std::string& states) { return states.size() == count; });
}

/// Calls work(share) for as many shares as the pool has threads, each on its own thread: no share ends before
/// all have begun.
template <class Work>
void run_together(thread_pool& pool, const Work& work) {
  std::atomic<int> begun{0};
  pool.run(pool.threads(), [&](int share) noexcept {
    ++begun;
    while (begun < pool.threads()) std::this_thread::yield();
    work(share);
  });
}

/// The threads of a pool's shares.
inline std::vector<std::thread::id> ids_of(thread_pool& pool) {
  std::vector<std::thread::id> ids(static_cast<std::size_t>(pool.threads()));
  run_together(pool, [&](int share) { ids[static_cast<std::size_t>(share)] = std::this_thread::get_id(); });
  return ids;
}

/// A pool whose threads all run another thread's call, until this is gone.
class busy_pool {
 public:
  explicit busy_pool(thread_pool& pool)
      : other_([&] {
          run_together(pool, [&](int) {
            is_begun_ = true;
            while (!may_end_) std::this_thread::yield();
          });
        }) {
    while (!is_begun_) std::this_thread::yield();
  }
  busy_pool(const busy_pool&) = delete;
  busy_pool& operator=(const busy_pool&) = delete;
  ~busy_pool() {
    may_end_ = true;
    other_.join();
  }

 private:
  std::atomic<bool> is_begun_{false}, may_end_{false};
  std::thread other_;
};

}  // namespace ropewalk::test
