#pragma once
// What calls on several threads must not do: allocate, start threads, leave threads that spin.

#include <algorithm>
#include <atomic>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <string>
#include <thread>

namespace ropewalk::test {

/// Calls of operator new in this program so far (thread_pool_test.cpp).
extern std::atomic<long> allocations;

/// The states of this process's threads, such as "SSR": S sleeps, R runs.
inline std::string thread_states() {
  std::string r;
  for (const auto& thread : std::filesystem::directory_iterator("/proc/self/task")) {
    std::ifstream file(thread.path() / "stat");
    std::string text;
    std::getline(file, text);
    if (const auto name_end = text.rfind(") "); name_end != std::string::npos) r += text[name_end + 2];
  }
  return r;
}

/// Waits until all threads but this one sleep; false after ten seconds.
inline bool others_sleep() {
  for (int i = 0; i < 10'000; ++i) {
    const std::string states = thread_states();
    if (std::count(states.begin(), states.end(), 'R') <= 1) return true;
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  return false;
}

}  // namespace ropewalk::test
