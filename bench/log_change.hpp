#pragma once
// Estimates the change of a time between two runs, with a confidence interval.

#include <span>
#include <vector>

#include "measure/bench_record.hpp"

namespace ropewalk::bench {

/// Probability that a comparison reports any change where there is none, over all rows together.
inline constexpr double family_error = 0.05;

/// A difference of logarithms of ratios or seconds, for Welch's test.
struct log_change {
  double mean = 0;     // log(after / before)
  double error = 0;    // standard error of the mean
  double freedom = 0;  // its degrees of freedom
};

/// The logarithm of each repetition's median over its rounds: of the work's seconds, or of their ratio to the
/// baseline's.
///
/// domain  every repetition has a round, and every round took time
std::vector<double> log_seconds(const measure::bench_row& row);
std::vector<double> log_ratios(const measure::bench_row& row);

/// The change between two runs. Rounds of one repetition share their tensors' pages and the state of the
/// machine, so a repetition counts once. The runs may have different variances, as a quiet and a busy machine
/// do.
///
/// domain  at least 2 repetitions in each run
log_change change_between(std::span<const double> before, std::span<const double> after);

/// Changes of one row that must agree before the row counts as changed: of its ratio and of its seconds.
using row_changes = std::vector<log_change>;

/// The factor of each change of each row, with the intervals of Holm's step-down procedure: the clearest of m
/// rows is tested at level family_error / m, the next at family_error / (m - 1), and so on until one is not
/// clear; the rest use that one's level. A row is clear if the intervals of all its changes are beyond the
/// threshold, from 1 / (1 + threshold) to 1 + threshold, on the same side.
///
/// domain  threshold >= 0, each row has a change
/// error   the probability that any row is clear although one of its changes is within the threshold is at
///         most family_error, for normal repetitions up to Welch's approximation
std::vector<std::vector<measure::estimate>> holm_intervals(std::span<const row_changes> rows,
                                                           double threshold);

}  // namespace ropewalk::bench
