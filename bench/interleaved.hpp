#pragma once
// How everything here is timed: the work alternates with its baseline, in the same run.

#include <benchmark/benchmark.h>

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <string>
#include <vector>

namespace ropewalk::bench {

/// The median of values, the upper one of an even number.
///
/// domain  at least one value
inline double median(std::vector<double> values) {
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

/// Mean seconds per call over `calls` calls, after an untimed one that leaves the caches as the work does.
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
  double work = 0;   // seconds per call
  double ratio = 0;  // the work's time / the other's time in the same round
};

/// Runs one round per iteration: `calls` calls of `other`, then as many of `work`.
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

/// Sets the counters of a benchmark: its median time, `bytes` written per second unless 0, and the ratio to
/// `other`.
inline void count(benchmark::State& state, const interleaved_times& times, std::size_t bytes,
                  const char* other) {
  state.counters["median_seconds"] = times.work;
  if (bytes != 0) state.counters["bytes_per_second"] = static_cast<double>(bytes) / times.work;
  state.counters[std::string("to_") + other] = times.ratio;
}

}  // namespace ropewalk::bench
