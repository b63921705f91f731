#pragma once
// Timing for all benchmarks: the work alternates with its baseline in the same run.

#include <benchmark/benchmark.h>
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <string>
#include <vector>

#include "bench/benchmark_case.hpp"
#include "bench/processors.hpp"
#include "measure/bench_record.hpp"

namespace ropewalk::bench {

using bench_clock = std::chrono::steady_clock;

inline double seconds_since(bench_clock::time_point begin) {
  return std::chrono::duration<double>(bench_clock::now() - begin).count();
}

/// A time in six digits, which keeps records short; the clock's steps are coarser.
inline double in_six_digits(double seconds) { return std::stod(fmt::format("{:.5e}", seconds)); }

/// Mean seconds per call over `calls` calls, after an untimed call that leaves the caches as the work does.
template <class Work>
double seconds_of(int calls, Work& work) {
  work();
  const auto begin = bench_clock::now();
  for (int call = 0; call < calls; ++call) {
    work();
    benchmark::ClobberMemory();
  }
  return seconds_since(begin) / calls;
}

/// Number of calls that together take the time of a round.
template <class Work>
int calls_of_round(const pace& how, Work& work) {
  constexpr int most = 1 << 20;
  for (int calls = 1;; calls *= 4) {
    const double taken = std::min(seconds_of(calls, work), seconds_of(calls, work)) * calls;
    if (taken < how.round / 8 && calls < most) continue;  // too short to estimate from
    return std::clamp(static_cast<int>(std::ceil(how.round / taken * calls)), 1, most);
  }
}

/// Measures rounds until enough of them were not interrupted: measure() -> round_times. On a busy machine
/// with too few of these, interrupted rounds are used as well.
template <class Measure>
std::vector<measure::round_times> undisturbed_rounds(const pace& how, const Measure& measure) {
  constexpr int patience = 3;  // factor on time and rounds because of interruptions
  std::vector<measure::round_times> undisturbed, all;
  const auto begin = bench_clock::now();
  const auto has = [&](std::size_t rounds, double times) {
    const bool is_late = seconds_since(begin) >= times * how.repetition;
    return rounds >= static_cast<std::size_t>(how.most_rounds) ||
           (is_late && rounds >= static_cast<std::size_t>(how.fewest_rounds));
  };
  while (!has(undisturbed.size(), 1) && !has(all.size() / patience, patience)) {
    const long before = departures();
    all.push_back(measure());
    if (departures() == before) undisturbed.push_back(all.back());
  }
  if (undisturbed.size() >= static_cast<std::size_t>(how.fewest_rounds)) return undisturbed;
  all.resize(std::min(all.size(), static_cast<std::size_t>(how.most_rounds)));
  return all;
}

/// Appends one repetition to a row: rounds that time `other`, then `work`, with equal numbers of calls.
template <class Work, class Other>
void interleave(measure::bench_row& row, const pace& how, Work work, Other other) {
  const int calls = calls_of_round(how, work);
  row.repetitions.push_back(undisturbed_rounds(how, [&]() -> measure::round_times {
    const double of_other = seconds_of(calls, other), of_work = seconds_of(calls, work);
    return {in_six_digits(of_work), in_six_digits(of_other)};
  }));
}

}  // namespace ropewalk::bench
