// two threads: a call split by tokens, compared with a memcpy split in the same way and with the call on one
// thread.

#include <algorithm>
#include <cstring>
#include <stdexcept>
#include <thread>
#include <vector>

#include "bench/benchmark_groups.hpp"
#include "bench/interleaved.hpp"
#include "bench/thread_team.hpp"
#include "bench/timed_rotation.hpp"
#include "bench/undisturbed.hpp"
#include "measure/interval.hpp"
#include "ropewalk/kernel/threads.hpp"

namespace ropewalk::bench {
namespace {

constexpr int threads = 2;

/// Runs the work's call on a pool.
///
/// throws  std::runtime_error with the kernel's error text
void turn_on(thread_pool& pool, const rotation_work& work) {
  ropewalk_error error{};
  const planned_kernel& kernel = work.planned();
  if (apply_with_threads(kernel.kernel(), kernel.plan(), work.call(), pool, &error) != ROPEWALK_OK)
    throw std::runtime_error(error.text);
}

/// Throws unless two threads write the same output as one; leaves the output of two.
template <class Work, class Other>
void require_same(const rotation_work& work, Work&& of_two, Other&& of_one) {
  of_one();
  const std::vector<std::byte> expected(work.output(), work.output() + work.bytes());
  of_two();
  if (!std::equal(expected.begin(), expected.end(), work.output()))
    throw std::runtime_error("two threads write other bits than one");
}

/// Medians over rounds, added to a row's counters as their means over repetitions.
struct ratios_to_one {
  std::vector<double> call;
  std::vector<double> copy;

  void add_to(measure::bench_row& row, const pace& how) const {
    row.counters["to_one_thread"] += measure::median(call) / how.repetitions;
    row.counters["copy_to_one_thread"] += measure::median(copy) / how.repetitions;
  }
};

void time_two_threads(measure::bench_row& row, const pace& how, const rotation_case& rotation) {
  if (std::thread::hardware_concurrency() < threads)
    throw std::runtime_error("two threads need two processors");
  rotation_work work(rotation);
  const page_buffer to(work.bytes());
  thread_team team(threads);
  const auto call_on_one = [&] { work.turn(); };
  const auto call_on_two = [&] { turn_on(team.pool(), work); };
  const auto copy_on_one = [&] { std::memcpy(to.data(), work.input(), work.bytes()); };
  const auto copy_on_two = [&] { copy_on(team.pool(), to.data(), work.input(), work.bytes()); };
  require_same(work, call_on_two, call_on_one);
  if (row.check.empty()) row.check = "the bits of one thread";
  const int calls = calls_of_round(how, call_on_two);
  undisturbed of_team([&] { return team.departures(); }),
      of_maker(departures);  // other threads wait meanwhile
  const auto seconds_on_two = [&](auto& value) {
    team.run([](int) {});  // wakes the second thread, so that the first call is also split
    return of_team.seconds_of(calls, value);
  };
  ratios_to_one ratios;
  std::vector<measure::round_times>& rounds = row.repetitions.emplace_back();
  const auto begin = bench_clock::now();
  for (int round = 0; round < how.most_rounds; ++round) {
    if (round >= how.fewest_rounds && seconds_since(begin) >= how.repetition) break;
    const double copy_one = of_maker.seconds_of(calls, copy_on_one), copy_two = seconds_on_two(copy_on_two),
                 call_one = of_maker.seconds_of(calls, call_on_one), call_two = seconds_on_two(call_on_two);
    ratios.call.push_back(call_two / call_one);
    ratios.copy.push_back(copy_two / copy_one);
    rounds.push_back({in_six_digits(call_two), in_six_digits(copy_two)});
  }
  ratios.add_to(row, how);
  row.counters["disturbed"] += std::max(of_team.disturbed(), of_maker.disturbed()) / how.repetitions;
}

}  // namespace

void add_two_threads(case_list& to) {
  for (const int tokens : {512, 4096})
    for (const ropewalk_dtype dtype : narrow_dtypes)
      for (const verify::chosen_kernel& kernel : canonical_kernels()) {
        const rotation_case rotation{kernel, dtype, fixed_rotation(pairing::half_split), tokens};
        benchmark_case timed{.row = row_of("two-threads", rotation), .repeat = {}};
        timed.row.threads = threads;
        timed.working_set = timed.row.bytes;
        timed.repeat = [rotation](measure::bench_row& timed_row, const pace& how) {
          time_two_threads(timed_row, how, rotation);
        };
        timed.errors = [rotation] { return errors_of(rotation); };
        to.push_back(std::move(timed));
      }
}

}  // namespace ropewalk::bench
