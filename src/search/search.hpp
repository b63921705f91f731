#pragma once
// Tests one kernel against one law: draws cases until a limit is reached or a case fails, and shrinks the
// failing case.

#include <array>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <optional>
#include <string>

#include "ropewalk/law/addition/checked_addition.hpp"
#include "ropewalk/law/kernel/extrapolation.hpp"
#include "ropewalk/law/law.hpp"
#include "search/budget_clock.hpp"

namespace ropewalk::search {

using clock = budget_clock;

/// Cap on the measurements of one shrink. Unlike a time limit, it gives the same result on a slow machine.
inline constexpr std::int64_t most_shrinks = 6000;

/// How long to search.
struct limits {
  std::int64_t least_cases = 1;  // run even after the deadline
  std::int64_t most_cases = 1;
  clock::time_point deadline{};  // the clock's epoch: none
  clock::time_point end{};       // ends the search even before least_cases; the epoch: none
};

struct counterexample {
  law_case original;     // as drawn
  law_case smallest;     // equals `original` until shrunk
  measurement measured;  // of the smallest
  std::int64_t case_number = 0;
  std::int64_t shrinks = 0;
  bool is_cut = false;          // time ran out before shrinking was complete
  bool is_awaited = false;      // shrinking continues when further answers arrive
  std::string table{};          // for a table, its case in words; the cases above stay empty
  bool is_reproducible = true;  // false: a repetition gave another result; not shrunk
};

/// Number of cases without an answer that ends a search: each costs a process, or a long wait.
inline constexpr std::int64_t most_unanswered = 3;

/// Whether a search gives up because few draws are useful: the kernel does not serve them, or they decide
/// nothing. It ends after patient_draws, plus draws_per_case more per useful draw.
inline bool is_given_up(std::int64_t drawn, std::int64_t of_use) {
  constexpr std::int64_t patient_draws = 256, draws_per_case = 16;
  return drawn >= patient_draws + draws_per_case * of_use;
}

/// Minimum number of extrapolation cases per range; together they have rotations_in_each_range rotations.
inline constexpr int cases_in_each_range = 7;

/// The worst results in one range of positions.
struct range_worst {
  double worst = 0;  // observed / bound
  double error = 0;  // the largest relative error
  std::int64_t rotations = 0;
};

struct outcome {
  std::int64_t count = 0;        // cases that a verdict needs
  std::int64_t drawn = 0;        // all cases, including those that did not run
  std::int64_t passed_over = 0;  // sizes that the kernel does not serve
  std::int64_t cases = 0;        // cases that were judged
  std::int64_t declined = 0;     // cases that the kernel declined
  std::int64_t decided = 0;      // cases with a comparison that could have failed
  std::int64_t compared = 0;
  std::int64_t vacuous = 0;  // further comparisons, with vacuous bounds
  measurement worst;         // over all cases
  // Cases with different bits at different addresses, as the promise allows.
  std::int64_t other_bits = 0;
  std::array<range_worst, position_ranges> ranges{};
  std::optional<counterexample> failure;
  std::string declined_because{};  // the kernel's text for the first declined case
  bool too_few = false;            // extrapolation: a range had fewer than rotations_in_each_range to judge
  // Cases set aside: no precision decided a rounding, or memory was too small.
  std::int64_t undecided_cases = 0;
  std::int64_t without_memory = 0;  // of these, those with too little memory
  std::string undecided{};          // why the first of them was set aside
  std::int64_t unanswered = 0;      // cases in which the kernel's process ended or did not answer
  std::optional<counterexample> first_unanswered{};  // of these, as drawn
  std::int64_t awaited = 0;                          // cases that wait for answers brought by a person

  bool holds() const { return !failure; }
  /// Cases that ran, whatever the result, and sizes that the kernel does not serve.
  std::int64_t asked() const {
    return cases + declined + undecided_cases + unanswered + awaited + passed_over;
  }
  /// Whether the search ended before a verdict's number of cases.
  bool is_short() const { return holds() && asked() < count; }
  /// Whether the search needs no further cases.
  bool is_finished() const { return !holds() || unanswered >= most_unanswered; }
  /// Whether nothing failed, but too little was compared to say that the law holds.
  bool says_nothing() const { return holds() && (compared == 0 || too_few); }
};

/// Cases that the law of sizes or of extrapolation needs for a verdict: each usual size, or
/// cases_in_each_range per range of positions that the kernel serves. 0 for other laws: the caller decides.
template <class Kernel>
std::int64_t least_cases(const law<Kernel>& law, const Kernel& kernel, ropewalk_dtype dtype);

/// Continues a search where it ended. The same seed draws the same cases in the same order, however calls
/// divide them. Limits count only cases that ran, not those that the kernel does not serve. Extrapolation
/// runs every range of positions equally often, at least cases_in_each_range times.
///
/// shape   Kernel is checked_rotation or checked_addition
/// throws  nothing because of the kernel
template <class Kernel>
void search_on(const law<Kernel>& law, const Kernel& kernel, ropewalk_dtype dtype, std::uint64_t seed,
               const limits& until, const std::atomic<bool>& stopped, outcome& so_far);

/// Searches from the first case.
template <class Kernel>
outcome search(const law<Kernel>& law, const Kernel& kernel, ropewalk_dtype dtype, std::uint64_t seed,
               const limits& until, const std::atomic<bool>& stopped) {
  outcome result;
  search_on(law, kernel, dtype, seed, until, stopped, result);
  return result;
}

/// The case that a search with this seed draws as its `number`th. The kernel's limits may exclude it.
template <class Kernel>
law_case case_of(const law<Kernel>& law, const Kernel& kernel, ropewalk_dtype dtype, std::uint64_t seed,
                 std::int64_t number);

/// Shrinks a failing case: moves to the first simpler case that fails, until none does. Gives the same result
/// on any machine, unless stopped or past the deadline (the clock's epoch: none).
template <class Kernel>
void shrink(const law<Kernel>& law, const Kernel& kernel, std::uint64_t seed, counterexample& counterexample,
            const std::atomic<bool>& stopped, clock::time_point deadline = {});

}  // namespace ropewalk::search
