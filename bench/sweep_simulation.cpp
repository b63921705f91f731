// Simulates how rank 0 of a sweep hands out units to many ranks on demand: one event per unit, with measured
// times of units and messages. It predicts a cost, so it belongs to the benchmarks; no test asserts it.
//
//   sweep_simulation [SUBJECTS [SECONDS_A_REQUEST [SECONDS_A_ROUND_TRIP]]]
//
// Prints lines for people and for bench/sweep_simulation.gnuplot, which draws them.

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <functional>
#include <queue>
#include <random>
#include <utility>
#include <vector>

namespace {

/// Measured numbers. A request's cost is the processor time of rank 0 while it serves three ranks that ask
/// without a pause. A round trip is that of a rank that asks alone (hand_out of the tests, with `serve 1`).
struct machine {
  double entries_per_second = 1e9;  // per core
  double spread = 0.03;             // standard deviation of a unit's time, relative
  double slow_ranks = 0.01;         // share of ranks that run at half the speed
  double request_seconds = 20e-6;   // processor time of rank 0
  double round_trip_seconds = 430e-6;
};

// The first 42 swept tables of the catalogue have 2466 pairs together; positions 0 .. 2^31 - 1.
constexpr double entries_of_catalogue = 2466.0 * 2147483648.0;
constexpr double bytes_a_unit = 5000;  // of one result line with three formats

struct outcome {
  double seconds;     // until the last unit is done
  double efficiency;  // relative to ranks at full speed that never wait
  std::int64_t units;
  double busy;  // share of the time that rank 0 spends answering
};

outcome simulate(double entries, double unit_entries, int rank_count, const machine& on) {
  std::mt19937_64 random(1);
  std::normal_distribution<double> variation(1, on.spread);
  std::bernoulli_distribution is_slow(on.slow_ranks);
  std::vector<double> pace(static_cast<std::size_t>(rank_count));
  for (double& value : pace) value = is_slow(random) ? 2 : 1;

  using request = std::pair<double, std::size_t>;  // time and rank
  std::priority_queue<request, std::vector<request>, std::greater<>> requests;
  for (std::size_t i = 0; i < pace.size(); ++i) requests.emplace(0.0, i);
  const auto units = static_cast<std::int64_t>(std::ceil(entries / unit_entries));
  double free_at = 0, end = 0;
  for (std::int64_t count = 0; count < units; ++count) {
    const auto [asked, who] = requests.top();
    requests.pop();
    free_at = std::max(free_at, asked) + on.request_seconds;
    const double work = unit_entries / on.entries_per_second * pace[who] * std::max(0.5, variation(random));
    const double done = free_at + on.round_trip_seconds + work;
    end = std::max(end, done);
    requests.emplace(done, who);
  }
  return {end, entries / on.entries_per_second / (end * rank_count), units,
          static_cast<double>(units) * on.request_seconds / end};
}

/// The largest number of ranks that rank 0 can serve while they work.
double saturation(double unit_entries, const machine& on) {
  return unit_entries / on.entries_per_second / on.request_seconds;
}

}  // namespace

int main(int count, char** words) {
  const double subjects = count > 1 ? std::atof(words[1]) : 1;
  machine on;
  if (count > 2) on.request_seconds = std::atof(words[2]);
  if (count > 3) on.round_trip_seconds = std::atof(words[3]);
  const double entries = subjects * entries_of_catalogue;
  fmt::print(
      "# {} x the catalogue: {:.3g} entries; {:.3g} entries/s per core, {:.3g} us per request, {:.3g} us per "
      "round trip\n",
      subjects, entries, on.entries_per_second, 1e6 * on.request_seconds, 1e6 * on.round_trip_seconds);
  fmt::print(
      "# unit  ranks     hours  efficiency  requests/s  rank 0 busy     units        MB  saturated from\n");
  for (int power = 24; power <= 32; power += 2) {
    const double unit_entries = std::exp2(power);
    for (const int ranks : {1, 10, 100, 1000, 3000, 10000, 30000, 100000}) {
      const outcome outcome = simulate(entries, unit_entries, ranks, on);
      fmt::print("2^{:<4} {:>6} {:>9.4f} {:>11.3f} {:>11.0f} {:>12.3f} {:>9} {:>9.1f} {:>15.0f}\n", power,
                 ranks, outcome.seconds / 3600, outcome.efficiency,
                 static_cast<double>(outcome.units) / outcome.seconds, outcome.busy, outcome.units,
                 1e-6 * bytes_a_unit * static_cast<double>(outcome.units), saturation(unit_entries, on));
    }
    fmt::print("\n\n");
  }
}
