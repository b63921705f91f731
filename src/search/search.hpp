#pragma once
// Holds one kernel to one law: case after case until the limits are reached or one fails, and then the
// smallest that fails.

#include <array>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <optional>
#include <string>

#include "ropewalk/law/addition/held_addition.hpp"
#include "ropewalk/law/kernel/extrapolation.hpp"
#include "ropewalk/law/law.hpp"

namespace ropewalk::search {

using clock = std::chrono::steady_clock;

inline constexpr std::int64_t most_shrinks =
    6000;  // measurements, so that the result is the same on a slow machine

/// How long to search.
struct limits {
  std::int64_t least_cases = 1;  // run whatever the deadline says
  std::int64_t most_cases = 1;
  clock::time_point deadline{};  // none when it is the clock's epoch
  clock::time_point end{};       // the same, whatever the least number of cases says
};

struct counterexample {
  law_case original;     // as it was drawn
  law_case smallest;     // the same until it is shrunk
  measurement measured;  // of the smallest
  std::int64_t case_number = 0;
  std::int64_t shrinks = 0;
  bool is_cut = false;          // the time was over while something simpler might still fail
  std::string table{};          // of a table: its configuration and case in words, in place of a kernel's
  bool is_reproducible = true;  // false: it came out otherwise when it was run again, and is not shrunk
};

inline constexpr int cases_in_each_range = 7;  // of extrapolation, together rotations_in_each_range rotations

/// The worst of one range of positions.
struct range_worst {
  double worst = 0;  // observed / bound
  double error = 0;  // the largest relative error
  std::int64_t rotations = 0;
};

struct outcome {
  // That say anything: of extrapolation, in all its ranges; of sizes, each usual one.
  std::int64_t least_drawn = 1;
  std::int64_t drawn = 0;     // cases, with those that were declined
  std::int64_t cases = 0;     // cases that were judged, declined ones left out
  std::int64_t declined = 0;  // the kernel does not serve such calls
  std::int64_t decided = 0;   // cases with a comparison that could have failed
  std::int64_t compared = 0;
  std::int64_t vacuous = 0;  // comparisons beside them whose bound decides nothing
  measurement worst;         // over all cases
  std::array<range_worst, position_ranges> ranges{};
  std::optional<counterexample> failure;
  std::string declined_because{};    // what the kernel said of the first
  bool too_few = false;              // extrapolation: a range had fewer than rotations_in_each_range to judge
  std::int64_t undecided_cases = 0;  // set aside: a rounding that no precision decided, or too little memory
  std::int64_t without_memory = 0;   // of these
  std::string undecided{};           // what was not decided in the first of them, or could not be run

  bool holds() const { return !failure; }
  /// Whether there is nothing more to search for.
  bool is_finished() const { return !holds(); }
  /// Nothing failed, but too little was compared, or nothing, to say that the law holds.
  bool says_nothing() const { return holds() && (compared == 0 || too_few); }
};

/// Goes on where a search ended: the same seed draws the same cases, in the same order, however many are run at once.
/// Extrapolation runs each range of positions as often as every other, cases_in_each_range times at least.
///
/// shape   Kernel is held_rotation or held_addition
/// throws  nothing of the kernel's doing
template <class Kernel>
void search_on(const law<Kernel>& of, const Kernel& kernel, ropewalk_dtype dtype, std::uint64_t seed,
               const limits& until, const std::atomic<bool>& stopped, outcome& so_far);

/// A search from the first case.
template <class Kernel>
outcome search(const law<Kernel>& of, const Kernel& kernel, ropewalk_dtype dtype, std::uint64_t seed,
               const limits& until, const std::atomic<bool>& stopped) {
  outcome r;
  search_on(of, kernel, dtype, seed, until, stopped, r);
  return r;
}

/// The case that a search of this seed draws as its `number`th. It may lie beyond what the kernel serves.
template <class Kernel>
law_case case_of(const law<Kernel>& of, const Kernel& kernel, ropewalk_dtype dtype, std::uint64_t seed,
                 std::int64_t number);

/// Follows the first simpler case that fails, again and again, until none does. The same for the same case,
/// on any machine, unless it is stopped or comes to the deadline (the clock's epoch: none).
template <class Kernel>
void shrink(const law<Kernel>& of, const Kernel& kernel, std::uint64_t seed, counterexample& found,
            const std::atomic<bool>& stopped, clock::time_point deadline = {});

}  // namespace ropewalk::search
