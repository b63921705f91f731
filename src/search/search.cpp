#include "search/search.hpp"

#include <rapidcheck.h>

#include "ropewalk/numeric/round.hpp"
#include "search/case_generator.hpp"
#include "search/dice.hpp"

namespace ropewalk::search {
namespace {

constexpr std::int64_t most_shrinks = 6000;  // measurements, so that the result is the same on a slow machine

bool is_over(const limits& until, std::int64_t cases, const std::atomic<bool>& stopped) {
  if (stopped.load(std::memory_order_relaxed) || cases >= until.most_cases) return true;
  if (cases < until.least_cases || until.deadline == clock::time_point{}) return false;
  return clock::now() >= until.deadline;
}

/// Follows the first simpler case that fails, again and again, until none does.
counterexample shrink(const law& of, const held_kernel& kernel, rc::Shrinkable<law_case> failing,
                      const measurement& measured, const std::atomic<bool>& stopped) {
  counterexample r{.original = failing.value(), .smallest = failing.value(), .measured = measured};
  std::int64_t tries = 0;
  for (bool simpler_fails = true; simpler_fails && !stopped.load(std::memory_order_relaxed);) {
    simpler_fails = false;
    auto simpler = failing.shrinks();
    for (auto next = simpler.next(); next && tries < most_shrinks; next = simpler.next(), ++tries) {
      const measurement m = measure(of, kernel, next->value());
      if (m.holds) continue;
      ++r.shrinks;
      r.measured = m;
      failing = *next;
      simpler_fails = true;
      break;
    }
  }
  r.smallest = failing.value();
  return r;
}

void record_range(outcome& r, const law_case& given, const measurement& m) {
  if (given.range < 0) return;
  range_worst& range = r.ranges[static_cast<std::size_t>(given.range)];
  range.rotations += m.compared;
  range.worst = std::max(range.worst, m.worst);
}

}  // namespace

outcome search(const law& of, const held_kernel& kernel, ropewalk_dtype dtype, std::uint64_t seed, const limits& until,
               const std::atomic<bool>& stopped) {
  case_domain domain = domain_of(of, kernel, dtype);
  limits all = until;
  if (of.needs.one_range) {  // every range, the same number of times
    const auto whole = [](std::int64_t cases) { return (cases + position_ranges - 1) / position_ranges * position_ranges; };
    all.least_cases = whole(until.least_cases);
    all.most_cases = whole(until.most_cases);
  }
  outcome r;
  for (std::int64_t number = 0; !is_over(all, number, stopped); ++number) {
    if (of.needs.one_range) domain.range = static_cast<int>(number % position_ranges);
    const auto drawn = cases(domain)(rc::Random(seed_of(seed, std::to_string(number))));
    const law_case given = drawn.value();
    try {
      const measurement m = measure(of, kernel, given);
      m.declined ? ++r.declined : ++r.cases;
      r.compared += m.compared;
      merge(r.worst, m);
      record_range(r, given, m);
      if (m.holds) continue;
      r.failure = shrink(of, kernel, drawn, m, stopped);
      r.failure->case_number = number;
    } catch (const undecided& failure) {
      r.undecided = failure.what();
    }
    return r;
  }
  return r;
}

}  // namespace ropewalk::search
