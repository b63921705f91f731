#pragma once
// Tests one kind of table against its laws. Every law that needs more cases judges each drawn case; a failing
// case is shrunk.

#include <atomic>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <rapidcheck.h>

#include "ropewalk/law/law.hpp"
#include "search/dice.hpp"
#include "search/search.hpp"

namespace ropewalk::search {

/// A generator of cases, and the function that makes the table of each.
template <class Case, class Subject>
struct table_under_laws {
  rc::Gen<Case> cases;
  std::function<Subject(const Case&)> subject;
};

/// Whether a law is given up, because few configurations are decisive for it.
inline bool is_given_up(const outcome& outcome) { return is_given_up(outcome.drawn, outcome.decided); }

template <class Case>
rc::Shrinkable<Case> draw_table_case(const rc::Gen<Case>& cases, std::uint64_t seed, std::int64_t number) {
  return cases(rc::Random(seed_of(seed, std::to_string(number))));
}

namespace detail {

template <class Subject, class Given>
void judge_case(const law<Subject>& law, const Subject& subject, const Given& test_case, std::int64_t number,
                outcome& so_far) {
  if (!law.applies(subject)) return;
  try {
    const measurement measured = law.measure(subject, test_case);
    ++so_far.cases;
    if (measured.compared > 0) ++so_far.decided;
    so_far.compared += measured.compared;
    so_far.vacuous += measured.vacuous;
    merge(so_far.worst, measured);
    if (!measured.holds) {
      so_far.failure.emplace();
      so_far.failure->measured = measured;
      so_far.failure->case_number = number;
    }
  } catch (const undecided& failure) {
    if (++so_far.undecided_cases == 1) so_far.undecided = failure.what();
  }
}

inline bool is_over(const limits& until, std::int64_t cases, const std::atomic<bool>& stopped) {
  const auto has_come = [](clock::time_point time) {
    return time != clock::time_point{} && clock::now() >= time;
  };
  return stopped.load(std::memory_order_relaxed) || cases >= until.most_cases || has_come(until.end) ||
         (cases >= until.least_cases && has_come(until.deadline));
}

/// The lowest case number that an unfinished law has not judged; -1 if every law is finished.
template <class GoesOn>
std::int64_t first_due(const std::vector<outcome>& so_far, const GoesOn& goes_on) {
  std::int64_t count = -1;
  for (const outcome& outcome : so_far)
    if ((count < 0 || outcome.drawn < count) && goes_on(outcome)) count = outcome.drawn;
  return count;
}

}  // namespace detail

/// Continues a search where it ended. The same seed draws the same cases in the same order, whichever laws
/// are requested. A law that has failed is not judged again.
///
/// shape   so_far has one outcome per law
/// throws  exceptions of on.cases and on.subject
template <class Case, class Subject>
void search_tables(const std::vector<const law<Subject>*>& laws, const table_under_laws<Case, Subject>& on,
                   std::uint64_t seed, const limits& until, const std::atomic<bool>& stopped,
                   std::vector<outcome>& so_far) {
  const auto goes_on = [&](const outcome& outcome) {
    return outcome.holds() && !is_given_up(outcome) && !detail::is_over(until, outcome.decided, stopped);
  };
  for (std::int64_t number = detail::first_due(so_far, goes_on); number >= 0;
       number = detail::first_due(so_far, goes_on)) {
    const Case test_case = draw_table_case(on.cases, seed, number).value();
    const Subject subject = on.subject(test_case);
    for (std::size_t i = 0; i < laws.size(); ++i)
      if (so_far[i].drawn == number && goes_on(so_far[i])) {
        ++so_far[i].drawn;
        detail::judge_case(*laws[i], subject, test_case.input, number, so_far[i]);
      }
  }
}

/// Shrinks a failing case: moves to the first simpler case that fails, until none does, and describes it in
/// counterexample.table.
template <class Case, class Subject>
void shrink_table(const law<Subject>& law, const table_under_laws<Case, Subject>& on, std::uint64_t seed,
                  counterexample& counterexample, const std::atomic<bool>& stopped,
                  clock::time_point deadline = {}) {
  auto failing = draw_table_case(on.cases, seed, counterexample.case_number);
  const auto fails = [&](const Case& test_case) -> std::optional<measurement> {
    const Subject subject = on.subject(test_case);
    if (!law.applies(subject)) return std::nullopt;
    try {
      measurement measured = law.measure(subject, test_case.input);
      if (!measured.holds) return measured;
    } catch (const undecided&) {  // counts as holding
    }
    return std::nullopt;
  };
  std::int64_t tries = 0;
  for (bool simpler_fails = true; simpler_fails && !counterexample.is_cut;) {
    simpler_fails = false;
    auto simpler = failing.shrinks();
    for (auto next = simpler.next(); next && tries < most_shrinks && !stopped;
         next = simpler.next(), ++tries) {
      counterexample.is_cut = deadline != clock::time_point{} && clock::now() >= deadline;
      if (counterexample.is_cut) break;
      const std::optional<measurement> m = fails(next->value());
      if (!m) continue;
      ++counterexample.shrinks;
      counterexample.measured = *m;
      failing = *next;
      simpler_fails = true;
      break;
    }
  }
  counterexample.table = text_of(failing.value());
}

}  // namespace ropewalk::search
