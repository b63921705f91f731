#pragma once
// How everything here is timed: the work and what it is compared with by turns, in the same run.

#include <benchmark/benchmark.h>

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <string>
#include <vector>

namespace ropewalk::bench {

/// domain  at least one value
inline double median(std::vector<double> values) {
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

/// Seconds of one call among `calls`, after one that is not timed: caches are as the work itself leaves them.
template <class Work>
double seconds_of(int calls, Work& work) {
  using clock = std::chrono::steady_clock;
  work();
  const auto begin = clock::now();
  for (int call = 0; call < calls; ++call) {
    work();
    benchmark::ClobberMemory();
  }
  return std::chrono::duration<double>(clock::now() - begin).count() / calls;
}

/// Medians over the rounds of a run.
struct interleaved_times {
  double work = 0;   // seconds a call
  double ratio = 0;  // of the work's time to the other's in the same round
};

/// One round an iteration: `calls` of the other, then as many of the work.
template <class Work, class Other>
interleaved_times interleave(benchmark::State& state, int calls, Work work, Other other) {
  std::vector<double> seconds, ratios;
  for ([[maybe_unused]] auto _ : state) {
    const double of_other = seconds_of(calls, other), of_work = seconds_of(calls, work);
    state.SetIterationTime(of_work);
    seconds.push_back(of_work);
    ratios.push_back(of_work / of_other);
  }
  return {median(seconds), median(ratios)};
}

/// Counters that every benchmark has: bytes that are written, and the ratio to what it was timed against.
inline void count(benchmark::State& state, const interleaved_times& times, std::size_t bytes,
                  const char* other) {
  state.counters["median_seconds"] = times.work;
  if (bytes != 0) state.counters["bytes_per_second"] = static_cast<double>(bytes) / times.work;
  state.counters[std::string("to_") + other] = times.ratio;
}

}  // namespace ropewalk::bench
