#pragma once
// Tests one kernel against one law: draws cases until a limit is reached or one
// fails, and shrinks the case that fails.

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

/// Cap on the measurements of one shrink: unlike a time, it gives the same result on a slow machine.
inline constexpr std::int64_t most_shrinks = 6000;

/// How long to search.
struct limits {
  std::int64_t least_cases = 1;  // asked even after the deadline
  std::int64_t most_cases = 1;
  clock::time_point deadline{};  // none when it is the clock's epoch
  clock::time_point end{};       // ends the search even before least_cases; none when it is the epoch
};

struct counterexample {
  law_case original;     // as it was drawn
  law_case smallest;     // `original` until it is shrunk
  measurement measured;  // of the smallest
  std::int64_t case_number = 0;
  std::int64_t shrinks = 0;
  bool is_cut = false;          // time ran out before shrinking was complete
  bool is_awaited = false;      // shrinking goes on once further answers were brought
  std::string table{};          // of a table: its case in words; the cases above stay empty
  bool is_reproducible = true;  // false: repeating it gave another result, and it is not shrunk
};

/// Cases without an answer after which a search ends: each costs a process, or a long wait.
inline constexpr std::int64_t most_unanswered = 3;

/// Whether a search whose draws are seldom of use, because the kernel does not serve them or they decide
/// nothing, ends: after patient_draws, and draws_a_case more for each that was of use.
inline bool is_given_up(std::int64_t drawn, std::int64_t of_use) {
  constexpr std::int64_t patient_draws = 256, draws_a_case = 16;
  return drawn >= patient_draws + draws_a_case * of_use;
}

/// Least number of extrapolation cases in each range; together they have rotations_in_each_range rotations.
inline constexpr int cases_in_each_range = 7;

/// The worst of one range of positions.
struct range_worst {
  double worst = 0;  // observed / bound
  double error = 0;  // the largest relative error
  std::int64_t rotations = 0;
};

struct outcome {
  std::int64_t count = 0;        // cases that a verdict needs: fewer are none
  std::int64_t drawn = 0;        // all cases, including those that were not asked
  std::int64_t passed_over = 0;  // sizes that the kernel does not serve
  std::int64_t cases = 0;        // cases that were judged
  std::int64_t declined = 0;     // cases that the kernel declined
  std::int64_t decided = 0;      // cases with a comparison that could have failed
  std::int64_t compared = 0;
  std::int64_t vacuous = 0;     // further comparisons, whose bound decides nothing
  measurement worst;            // over all cases
  std::int64_t other_bits = 0;  // cases that gave other bits at other addresses, as the promise allows
  std::array<range_worst, position_ranges> ranges{};
  std::optional<counterexample> failure;
  std::string declined_because{};    // the kernel's text for the first declined case
  bool too_few = false;              // extrapolation: a range had fewer than rotations_in_each_range to judge
  std::int64_t undecided_cases = 0;  // set aside: a rounding that no precision decided, or too little memory
  std::int64_t without_memory = 0;   // of these, the ones with too little memory
  std::string undecided{};           // why the first of them was set aside
  std::int64_t unanswered = 0;       // cases in which the kernel's process ended, or was silent
  std::optional<counterexample> first_unanswered{};  // of these, as it was drawn
  std::int64_t awaited = 0;  // cases with a call whose answer a person has yet to bring

  bool holds() const { return !failure; }
  /// Cases that were asked, whatever became of them, and sizes that the kernel does not serve.
  std::int64_t asked() const {
    return cases + declined + undecided_cases + unanswered + awaited + passed_over;
  }
  /// Whether it ended before it had asked what a verdict needs.
  bool is_short() const { return holds() && asked() < count; }
  /// Whether there is nothing more to search for.
  bool is_finished() const { return !holds() || unanswered >= most_unanswered; }
  /// Whether nothing failed, but nothing or too little was compared to say that the law holds.
  bool says_nothing() const { return holds() && (compared == 0 || too_few); }
};

/// Cases that the law of sizes or of extrapolation needs for a verdict: each usual size, or
/// cases_in_each_range in each range of positions that the kernel serves. Other laws leave it to the caller:
/// 0.
template <class Kernel>
std::int64_t least_cases(const law<Kernel>& law, const Kernel& kernel, ropewalk_dtype dtype);

/// Continues a search where it ended. The same seed draws the same cases in the same order, however they are
/// divided between calls. Cases that the kernel does not serve are not counted: limits are numbers of cases
/// that were asked. Extrapolation runs every range of positions equally often, at least cases_in_each_range
/// times.
///
/// shape   Kernel is checked_rotation or checked_addition
/// throws  nothing that the kernel causes
template <class Kernel>
void search_on(const law<Kernel>& law, const Kernel& kernel, ropewalk_dtype dtype, std::uint64_t seed,
               const limits& until, const std::atomic<bool>& stopped, outcome& so_far);

/// A search from the first case.
template <class Kernel>
outcome search(const law<Kernel>& law, const Kernel& kernel, ropewalk_dtype dtype, std::uint64_t seed,
               const limits& until, const std::atomic<bool>& stopped) {
  outcome result;
  search_on(law, kernel, dtype, seed, until, stopped, result);
  return result;
}

/// The case that a search of this seed draws as its `number`th. It may lie beyond what the kernel serves.
template <class Kernel>
law_case case_of(const law<Kernel>& law, const Kernel& kernel, ropewalk_dtype dtype, std::uint64_t seed,
                 std::int64_t number);

/// Shrinks a failing case: moves on to the first simpler case that fails until there is
/// none. The same case gives the same result on any machine, unless it is stopped or
/// reaches the deadline (the clock's epoch: none).
template <class Kernel>
void shrink(const law<Kernel>& law, const Kernel& kernel, std::uint64_t seed, counterexample& counterexample,
            const std::atomic<bool>& stopped, clock::time_point deadline = {});

}  // namespace ropewalk::search
