// two threads: a call split by tokens, against a memcpy split alike and against the same call on one thread.
// The two threads stay for the whole repetition: a thread started for each call would measure the scheduler.

#include <algorithm>
#include <stdexcept>
#include <thread>
#include <vector>

#include "bench/interleaved.hpp"
#include "bench/nouns.hpp"
#include "bench/team_call.hpp"
#include "bench/timed_rotation.hpp"
#include "bench/undisturbed.hpp"
#include "measure/interval.hpp"

namespace ropewalk::bench {
namespace {

constexpr int threads = 2;

/// Throws unless two threads write what one writes; leaves the output of two.
template <class Work, class Other>
void require_same(const rotation_work& work, Work&& of_two, Other&& of_one) {
  of_one();
  const std::vector<std::byte> expected(work.output(), work.output() + work.bytes());
  of_two();
  if (!std::equal(expected.begin(), expected.end(), work.output()))
    throw std::runtime_error("two threads write other bits than one");
}

void time_two_threads(measure::bench_row& row, const pace& how, const rotation_case& given) {
  if (std::thread::hardware_concurrency() < threads)
    throw std::runtime_error("two threads need two processors");
  rotation_work work(given);
  const page_buffer to(work.bytes());
  thread_team team(threads);
  team_call on_two(team, work.planned().kernel(), work.planned().plan(), work.call());
  const auto on_one = [&] { work.turn(); };
  const auto copy = [&] { copy_on(team, to.data(), work.input(), work.bytes()); };
  require_same(work, on_two, on_one);
  if (row.check.empty()) row.check = "the bits of one thread";
  const int calls = calls_of_round(how, on_two);
  std::vector<double> to_one;
  std::vector<measure::round_times>& rounds = row.repetitions.emplace_back();
  undisturbed timed([&] { return team.departures(); }), alone(departures);  // the second thread waits then
  const auto begin = bench_clock::now();
  for (int round = 0; round < how.most_rounds; ++round) {
    if (round >= how.fewest_rounds && seconds_since(begin) >= how.repetition) break;
    const double of_one = alone.seconds_of(calls, on_one);
    // The part that follows may find the second thread asleep. Each does so in every other round.
    const bool copies_first = round % 2 == 0;
    double of_copy = copies_first ? timed.seconds_of(calls, copy) : 0;
    const double of_two = timed.seconds_of(calls, on_two);
    if (!copies_first) of_copy = timed.seconds_of(calls, copy);
    to_one.push_back(of_two / of_one);
    rounds.push_back({in_six_digits(of_two), in_six_digits(of_copy)});
  }
  row.counters["to_one_thread"] += measure::median(to_one) / how.repetitions;
  row.counters["disturbed"] += std::max(timed.disturbed(), alone.disturbed()) / how.repetitions;
}

}  // namespace

void add_two_threads(case_list& to) {
  for (const int tokens : {512, 4096})
    for (const ropewalk_dtype dtype : narrow_dtypes)
      for (const verify::chosen_kernel& kernel : canonical_kernels()) {
        const rotation_case given{kernel, dtype, fixed_rotation(pairing::half_split), tokens};
        benchmark_case r{.row = row_of("two-threads", given), .repeat = {}};
        r.row.threads = threads;
        r.working_set = r.row.bytes;
        r.repeat = [given](measure::bench_row& of, const pace& how) { time_two_threads(of, how, given); };
        r.errors = [given] { return errors_of(given); };
        to.push_back(std::move(r));
      }
}

}  // namespace ropewalk::bench
