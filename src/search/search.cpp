#include "search/search.hpp"

#include <rapidcheck.h>

#include <algorithm>

#include "ropewalk/law/kernel/mapped_memory.hpp"
#include "ropewalk/law/kernel/measure.hpp"
#include "ropewalk/numeric/round.hpp"
#include "search/case_generator.hpp"
#include "search/dice.hpp"
#include "search/judging.hpp"
#include "search/size_cases.hpp"

namespace ropewalk::search {
namespace {

bool has_come(clock::time_point time) { return time != clock::time_point{} && clock::now() >= time; }

bool is_over(const limits& until, std::int64_t cases, const std::atomic<bool>& stopped) {
  if (stopped.load(std::memory_order_relaxed) || cases >= until.most_cases) return true;
  if (has_come(until.end)) return true;
  return cases >= until.least_cases && has_come(until.deadline);
}

/// The ranges of extrapolation with positions that the kernel serves.
std::vector<int> ranges_within(const case_domain& domain) {
  std::vector<int> within;
  for (int range = 0; range < position_ranges; ++range)
    if (meets_range(domain.served.positions(), range)) within.push_back(range);
  return within;
}

rc::Shrinkable<law_case> draw(const case_domain& domain, std::uint64_t seed, std::int64_t number) {
  case_domain numbered = domain;
  std::int64_t round = number;
  if (domain.needs.of_every_law) {
    const std::vector<case_needs> turns = needs_in_turn(domain);
    const auto laws = static_cast<std::int64_t>(turns.size());
    numbered = with_needs(domain, turns[static_cast<std::size_t>(number % laws)]);
    round = number / laws;
  }
  if (numbered.needs.one_range) {
    const std::vector<int> ranges = ranges_within(domain);
    numbered.range = ranges[static_cast<std::size_t>(round) % ranges.size()];
  }
  numbered.number = number;
  return cases(numbered)(rc::Random(seed_of(seed, std::to_string(number))));
}

void record_range(outcome& outcome, const law_case& test_case, const measurement& measured) {
  if (test_case.range < 0) return;
  range_worst& range = outcome.ranges[static_cast<std::size_t>(test_case.range)];
  range.rotations += measured.compared + measured.vacuous;
  range.worst = std::max(range.worst, measured.worst);
  range.error = std::max(range.error, measured.error);
}

bool has_too_few(const case_domain& domain, const outcome& outcome) {
  const std::vector<int> ranges = ranges_within(domain);
  return std::any_of(ranges.begin(), ranges.end(), [&](int range) {
    return outcome.ranges[static_cast<std::size_t>(range)].rotations < rotations_in_each_range;
  });
}

constexpr std::int64_t patient_cases = 64;
constexpr int runs_again = 3;  // repetitions of a case that failed
// Simpler cases requested together if a person brings the answers; the simplest come first.
constexpr std::int64_t most_awaited = 256;

bool is_same_finding(const measurement& a, const measurement& b) {
  return a.holds == b.holds && a.declined == b.declined && a.worst == b.worst && a.compared == b.compared &&
         a.trouble == b.trouble &&
         std::equal(a.numbers.bits, a.numbers.bits + a.numbers.count, b.numbers.bits);
}

/// Whether a case fails in the same way each time it runs.
template <class Kernel>
bool fails_again(const law<Kernel>& law, const Kernel& kernel, const law_case& test_case,
                 const measurement& measured) {
  for (int i = 0; i < runs_again; ++i) {
    const measurement again = measure(law, kernel, test_case);
    if (!again.unanswered && !is_same_finding(again, measured)) return false;
  }
  return true;
}

/// Limits for the law of sizes: each usual size once if the search has a deadline, otherwise up to four
/// rounds of all sizes.
limits of_sizes(limits until, const size_counts& sizes) {
  constexpr std::int64_t most_rounds = 4;
  const bool is_timed = until.end != clock::time_point{};
  until.most_cases = std::min(until.most_cases, is_timed ? sizes.usual : most_rounds * sizes.all);
  until.least_cases = std::min(until.least_cases, until.most_cases);
  return until;
}

/// Measures a simpler case. A case that this machine cannot run, or without an answer, counts as holding.
template <class Kernel>
measurement measure_if_it_can_be_run(const law<Kernel>& law, const Kernel& kernel, const law_case& test_case,
                                     bool& is_awaited) try {
  return measure(law, kernel, test_case);
} catch (const answer_awaited&) {
  is_awaited = true;
  return {};
} catch (const case_set_aside&) {
  return {};
}

limits in_whole_rounds(limits until, std::int64_t ranges) {
  const auto whole = [=](std::int64_t cases) {
    return (std::max(cases, cases_in_each_range * ranges) + ranges - 1) / ranges * ranges;
  };
  if (until.least_cases > 0) until.least_cases = whole(until.least_cases);
  until.most_cases = whole(until.most_cases);
  return until;
}

}  // namespace

template <class Kernel>
void search_on(const law<Kernel>& law, const Kernel& kernel, ropewalk_dtype dtype, std::uint64_t seed,
               const limits& until, const std::atomic<bool>& stopped, outcome& outcome) {
  judging watched(kernel.name(), law.name);
  const case_domain domain = domain_of(law, kernel, dtype);
  const auto ranges = static_cast<std::int64_t>(ranges_within(domain).size());
  const size_counts sizes = law.needs.sizes ? count_sizes(domain) : size_counts{};
  const limits all = law.needs.one_range ? in_whole_rounds(until, ranges)
                     : law.needs.sizes   ? of_sizes(until, sizes)
                                         : until;
  // If the first cases compare nothing, runs a few more.
  const auto goes_on = [&] {
    if (outcome.is_finished() || is_given_up(outcome.drawn, outcome.asked())) return false;
    if (!is_over(all, outcome.asked(), stopped)) return true;
    return outcome.compared + outcome.vacuous == 0 && outcome.declined == 0 && outcome.undecided_cases == 0 &&
           outcome.asked() > 0 && !stopped && !has_come(all.end) &&
           outcome.asked() < std::min(all.most_cases, patient_cases);
  };
  for (; goes_on(); watched.go_on()) {
    const std::int64_t number = outcome.drawn++;
    const law_case test_case = draw(domain, seed, number).value();
    if (!kernel.allows(test_case)) {
      if (law.needs.sizes) ++outcome.passed_over;
      continue;
    }
    try {
      const measurement measured = measure(law, kernel, test_case);
      if (measured.unanswered) {
        if (++outcome.unanswered == 1)
          outcome.first_unanswered = counterexample{
              .original = test_case, .smallest = test_case, .measured = measured, .case_number = number};
        continue;
      }
      measured.declined ? ++outcome.declined : ++outcome.cases;
      if (measured.declined && outcome.declined_because.empty()) outcome.declined_because = measured.trouble;
      if (measured.compared > 0) ++outcome.decided;
      if (measured.has_other_bits) ++outcome.other_bits;
      outcome.compared += measured.compared;
      outcome.vacuous += measured.vacuous;
      merge(outcome.worst, measured);
      record_range(outcome, test_case, measured);
      if (measured.holds) continue;
      outcome.failure = counterexample{
          .original = test_case, .smallest = test_case, .measured = measured, .case_number = number};
      outcome.failure->is_reproducible = fails_again(law, kernel, test_case, measured);
    } catch (const undecided& failure) {
      if (++outcome.undecided_cases == 1) outcome.undecided = failure.what();
    } catch (const answer_awaited&) {
      ++outcome.awaited;
    } catch (const case_set_aside& reason) {
      ++outcome.without_memory;
      if (++outcome.undecided_cases == 1) outcome.undecided = reason.what();
    }
  }
  outcome.too_few = outcome.holds() && law.needs.one_range && has_too_few(domain, outcome);
}

template <class Kernel>
std::int64_t least_cases(const law<Kernel>& law, const Kernel& kernel, ropewalk_dtype dtype) {
  const case_domain domain = domain_of(law, kernel, dtype);
  if (law.needs.sizes) return count_sizes(domain).usual;
  return law.needs.one_range ? cases_in_each_range * static_cast<std::int64_t>(ranges_within(domain).size())
                             : 0;
}

template <class Kernel>
law_case case_of(const law<Kernel>& law, const Kernel& kernel, ropewalk_dtype dtype, std::uint64_t seed,
                 std::int64_t number) {
  return draw(domain_of(law, kernel, dtype), seed, number).value();
}

template <class Kernel>
void shrink(const law<Kernel>& law, const Kernel& kernel, std::uint64_t seed, counterexample& counterexample,
            const std::atomic<bool>& stopped, clock::time_point deadline) {
  if (!counterexample.is_reproducible) return;
  judging watched(kernel.name(), law.name);
  auto failing =
      draw(domain_of(law, kernel, counterexample.original.dtype), seed, counterexample.case_number);
  std::int64_t tries = 0;
  for (bool simpler_fails = true; simpler_fails && !counterexample.is_cut;) {
    simpler_fails = false;
    auto simpler = failing.shrinks();
    std::int64_t awaited = 0;
    for (auto next = simpler.next(); next && tries < most_shrinks; next = simpler.next(), ++tries) {
      if (stopped.load(std::memory_order_relaxed)) break;
      counterexample.is_cut = has_come(deadline);
      if (counterexample.is_cut) break;
      if (!kernel.allows(next->value())) continue;
      watched.go_on();
      const measurement measured =
          measure_if_it_can_be_run(law, kernel, next->value(), counterexample.is_awaited);
      if (counterexample.is_awaited && ++awaited == most_awaited) break;
      if (measured.holds || counterexample.is_awaited)
        // The first failing case is taken; an awaited case may turn out to fail.
        continue;
      ++counterexample.shrinks;
      counterexample.measured = measured;
      failing = *next;
      simpler_fails = true;
      break;
    }
  }
  counterexample.smallest = failing.value();
}

template void search_on(const law<checked_rotation>&, const checked_rotation&, ropewalk_dtype, std::uint64_t,
                        const limits&, const std::atomic<bool>&, outcome&);
template void search_on(const law<checked_addition>&, const checked_addition&, ropewalk_dtype, std::uint64_t,
                        const limits&, const std::atomic<bool>&, outcome&);
template std::int64_t least_cases(const law<checked_rotation>&, const checked_rotation&, ropewalk_dtype);
template std::int64_t least_cases(const law<checked_addition>&, const checked_addition&, ropewalk_dtype);
template law_case case_of(const law<checked_rotation>&, const checked_rotation&, ropewalk_dtype,
                          std::uint64_t, std::int64_t);
template law_case case_of(const law<checked_addition>&, const checked_addition&, ropewalk_dtype,
                          std::uint64_t, std::int64_t);
template void shrink(const law<checked_rotation>&, const checked_rotation&, std::uint64_t, counterexample&,
                     const std::atomic<bool>&, clock::time_point);
template void shrink(const law<checked_addition>&, const checked_addition&, std::uint64_t, counterexample&,
                     const std::atomic<bool>&, clock::time_point);

}  // namespace ropewalk::search
