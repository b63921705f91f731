#pragma once
// The median of repeated measurements, and the interval that holds it.

#include <string>
#include <vector>

#include "measure/bench_record.hpp"

namespace ropewalk::measure {

/// The smallest relative change of a time that a comparison reports by default. A run whose intervals reach
/// farther than this from their medians could not show such a change.
inline constexpr double smallest_change = 0.05;

/// The median of values; for an even number of values, the upper of the two middle ones.
///
/// domain  at least one value
double median(std::vector<double> values);

/// Median over all rounds of all repetitions, and its percentile bootstrap interval of 95 %. A resample draws
/// as many repetitions as there are, and then as many rounds in each: rounds of one repetition share the
/// pages of their tensors and the processor's state, and so vary less than repetitions. The interval is the
/// percentile one, not the bias-corrected and accelerated one, whose jackknife does not estimate the variance
/// of a median.
///
/// shape   repetitions [repetitions][rounds], of any lengths; no rounds at all: nothing was measured
/// error   draws from a fixed seed: equal values give equal intervals
estimate estimate_of(const std::vector<std::vector<double>>& repetitions);

/// Why an estimate is too noisy to show a relative change of `change`: its interval reaches farther from the
/// median than that. Empty if the estimate could show the change, or if nothing was measured.
std::string noise_of(const estimate& estimate, double change = smallest_change);

/// Sets a row's estimates and its noise from its rounds.
void estimate_row(bench_row& row);

}  // namespace ropewalk::measure
