#pragma once
// Work split over all cores, with the results summed.

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <mutex>
#include <thread>
#include <vector>

namespace ropewalk::oracle {

/// Runs work(index) for 0 .. count - 1 on all cores, and returns the sum of the results.
template <class Work>
auto on_every_core(std::int64_t count, const Work& work) {
  std::atomic<std::int64_t> next = 0;
  std::mutex sum_mutex;
  decltype(work(next)) sum{};
  {
    std::vector<std::jthread> workers;
    for (unsigned i = 0; i < std::max(1u, std::thread::hardware_concurrency()); ++i)
      workers.emplace_back([&] {
        for (std::int64_t index = next++; index < count; index = next++) {
          const auto value = work(index);
          const std::lock_guard lock(sum_mutex);
          sum += value;
        }
      });
  }
  return sum;
}

}  // namespace ropewalk::oracle
