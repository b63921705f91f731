#pragma once
// By how much a time changed from one run to another, and the interval that holds the change.

#include <span>
#include <vector>

#include "measure/bench_record.hpp"

namespace ropewalk::bench {

/// The chance that a comparison calls anything changed where nothing did, over all its rows together.
inline constexpr double family_error = 0.05;

/// A difference of logarithms of ratios or seconds, as Welch's test sees it.
struct log_change {
  double mean = 0;     // log(after / before)
  double error = 0;    // standard error of the mean
  double freedom = 0;  // its degrees of freedom
};

/// The logarithm of each repetition's median over its rounds: of the work's seconds, or of the ratio of
/// these to the other's.
///
/// domain  every repetition has a round, and every round took time
std::vector<double> log_seconds(const measure::bench_row& row);
std::vector<double> log_ratios(const measure::bench_row& row);

/// The change from one run's repetitions to another's. Rounds of one repetition share their tensors'
/// pages and the state of the machine, so a repetition counts once. The two runs may vary by different
/// amounts, as a quiet and a busy machine do.
///
/// domain  at least 2 repetitions in each run
log_change change_between(std::span<const double> before, std::span<const double> after);

/// Changes of one row that must agree for it to be called changed, such as those of its ratio and of its
/// seconds.
using row_changes = std::vector<log_change>;

/// The factor of each change of each row, with the intervals of Holm's step-down procedure: the clearest
/// of m rows is held to family_error / m, the next to family_error / (m - 1), and so on until one is not
/// clear; the rest have the level of that one. A row is clear if the intervals of all its changes lie
/// beyond the threshold, which reaches from 1 / (1 + threshold) to 1 + threshold, on the same side.
///
/// domain  threshold >= 0, each row has a change
/// error   the chance that any row is clear of which a change is not beyond is at most family_error, for
///         normal repetitions up to Welch's approximation
std::vector<std::vector<measure::estimate>> holm_intervals(std::span<const row_changes> rows,
                                                           double threshold);

}  // namespace ropewalk::bench
