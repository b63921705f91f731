#include "search/search.hpp"

#include <rapidcheck.h>

#include <algorithm>

#include "ropewalk/law/kernel/measure.hpp"
#include "ropewalk/numeric/round.hpp"
#include "search/case_generator.hpp"
#include "search/dice.hpp"
#include "search/judging.hpp"

namespace ropewalk::search {
namespace {

constexpr std::int64_t most_shrinks = 6000;  // measurements, so that the result is the same on a slow machine

bool is_over(const limits& until, std::int64_t cases, const std::atomic<bool>& stopped) {
  if (stopped.load(std::memory_order_relaxed) || cases >= until.most_cases) return true;
  if (cases < until.least_cases || until.deadline == clock::time_point{}) return false;
  return clock::now() >= until.deadline;
}

rc::Shrinkable<law_case> draw(const case_domain& domain, std::uint64_t seed, std::int64_t number) {
  case_domain numbered = domain;
  if (domain.needs.one_range) numbered.range = static_cast<int>(number % position_ranges);
  return cases(numbered)(rc::Random(seed_of(seed, std::to_string(number))));
}

void record_range(outcome& r, const law_case& given, const measurement& m) {
  if (given.range < 0) return;
  range_worst& range = r.ranges[static_cast<std::size_t>(given.range)];
  range.rotations += m.compared;
  range.worst = std::max(range.worst, m.worst);
}

bool has_too_few(const outcome& found) {
  return std::any_of(found.ranges.begin(), found.ranges.end(),
                     [](const range_worst& range) { return range.rotations < rotations_in_each_range; });
}

constexpr std::int64_t patient_cases = 64;

limits in_whole_rounds(limits until) {
  const auto whole = [](std::int64_t cases) {
    return (std::max<std::int64_t>(cases, cases_in_each_range * position_ranges) + position_ranges - 1) /
           position_ranges * position_ranges;
  };
  until.least_cases = whole(until.least_cases);
  until.most_cases = whole(until.most_cases);
  return until;
}

}  // namespace

template <class Kernel>
outcome search(const law<Kernel>& of, const Kernel& kernel, ropewalk_dtype dtype, std::uint64_t seed,
               const limits& until, const std::atomic<bool>& stopped) {
  const judging watched(kernel.name(), of.name);
  const case_domain domain = domain_of(of, kernel, dtype);
  const limits all = of.needs.one_range ? in_whole_rounds(until) : until;
  outcome r;
  // If the first cases compare nothing, draw a few more.
  const auto goes_on = [&](std::int64_t number) {
    if (!is_over(all, number, stopped)) return true;
    return r.compared == 0 && r.declined == 0 && !stopped && number < std::min(all.most_cases, patient_cases);
  };
  for (std::int64_t number = 0; goes_on(number); ++number) {
    const law_case given = draw(domain, seed, number).value();
    try {
      const measurement m = measure(of, kernel, given);
      m.declined ? ++r.declined : ++r.cases;
      if (m.declined && r.declined_because.empty()) r.declined_because = m.trouble;
      r.compared += m.compared;
      merge(r.worst, m);
      record_range(r, given, m);
      if (m.holds) continue;
      r.failure = counterexample{given, given, m, number, 0};
    } catch (const undecided& failure) {
      r.undecided = failure.what();
    }
    return r;
  }
  r.too_few = of.needs.one_range && has_too_few(r);
  return r;
}

template <class Kernel>
void shrink(const law<Kernel>& of, const Kernel& kernel, std::uint64_t seed, counterexample& found,
            const std::atomic<bool>& stopped) {
  const judging watched(kernel.name(), of.name);
  auto failing = draw(domain_of(of, kernel, found.original.dtype), seed, found.case_number);
  std::int64_t tries = 0;
  for (bool simpler_fails = true; simpler_fails;) {
    simpler_fails = false;
    auto simpler = failing.shrinks();
    for (auto next = simpler.next(); next && tries < most_shrinks; next = simpler.next(), ++tries) {
      if (stopped.load(std::memory_order_relaxed)) break;
      const measurement m = measure(of, kernel, next->value());
      if (m.holds) continue;
      ++found.shrinks;
      found.measured = m;
      failing = *next;
      simpler_fails = true;
      break;
    }
  }
  found.smallest = failing.value();
}

template outcome search(const law<held_rotation>&, const held_rotation&, ropewalk_dtype, std::uint64_t,
                        const limits&, const std::atomic<bool>&);
template outcome search(const law<held_addition>&, const held_addition&, ropewalk_dtype, std::uint64_t,
                        const limits&, const std::atomic<bool>&);
template void shrink(const law<held_rotation>&, const held_rotation&, std::uint64_t, counterexample&,
                     const std::atomic<bool>&);
template void shrink(const law<held_addition>&, const held_addition&, std::uint64_t, counterexample&,
                     const std::atomic<bool>&);

}  // namespace ropewalk::search
