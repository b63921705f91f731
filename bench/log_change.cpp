#include "bench/log_change.hpp"

#include <algorithm>
#include <boost/math/distributions/students_t.hpp>
#include <cmath>
#include <cstddef>
#include <numeric>

#include "measure/interval.hpp"

namespace ropewalk::bench {
namespace {

/// The mean of values, and the square of the mean's standard error.
struct sample {
  double mean = 0;
  double variance_of_mean = 0;
};

sample sample_of(std::span<const double> values) {
  const auto count = static_cast<double>(values.size());
  sample result{.mean = std::accumulate(values.begin(), values.end(), 0.0) / count};
  for (const double value : values) result.variance_of_mean += (value - result.mean) * (value - result.mean);
  result.variance_of_mean /= (count - 1) * count;
  return result;
}

/// Logarithm by which a change exceeds the threshold in the direction of `sign`; negative if it does not.
double excess(const log_change& change, double threshold, double sign) {
  return std::copysign(1.0, sign) * change.mean - std::log1p(threshold);
}

/// Probability of an observed change at least this far beyond the threshold, in either direction, if the true
/// change equals the threshold.
double chance_of(const log_change& change, double beyond) {
  if (beyond <= 0) return 1;
  if (change.error == 0) return 0;
  const boost::math::students_t_distribution<double> distribution(change.freedom);
  return 2 * boost::math::cdf(boost::math::complement(distribution, beyond / change.error));
}

/// The same for a row: the largest probability among its changes, each in the direction of the first change.
double chance_of(const row_changes& row, double threshold) {
  double most = 0;
  for (const log_change& change : row)
    most = std::max(most, chance_of(change, excess(change, threshold, row.front().mean)));
  return most;
}

/// Half the width of the interval with error probability `level`.
double half_width(const log_change& change, double level) {
  if (change.error == 0) return 0;
  const boost::math::students_t_distribution<double> distribution(change.freedom);
  return change.error * boost::math::quantile(boost::math::complement(distribution, level / 2));
}

/// For each repetition, the logarithm of the median of `value` over its rounds.
template <class Value>
std::vector<double> log_medians(const measure::bench_row& row, const Value& value) {
  std::vector<double> logs;
  for (const std::vector<measure::round_times>& rounds : row.repetitions) {
    std::vector<double> values;
    for (const measure::round_times& round : rounds) values.push_back(value(round));
    logs.push_back(std::log(measure::median(std::move(values))));
  }
  return logs;
}

}  // namespace

std::vector<double> log_seconds(const measure::bench_row& row) {
  return log_medians(row, [](const measure::round_times& round) { return round.work; });
}

std::vector<double> log_ratios(const measure::bench_row& row) {
  return log_medians(row, [](const measure::round_times& round) { return round.work / round.other; });
}

log_change change_between(std::span<const double> before, std::span<const double> after) {
  const sample first = sample_of(before), second = sample_of(after);
  const double a = first.variance_of_mean, b = second.variance_of_mean;
  log_change change{.mean = second.mean - first.mean, .error = std::sqrt(a + b)};
  if (change.error == 0) return change;  // no distribution is needed
  // Welch and Satterthwaite's formula, in the squares of a / (a + b), which do not underflow.
  const double share = a / (a + b), other_share = b / (a + b);
  change.freedom = 1 / (share * share / static_cast<double>(before.size() - 1) +
                        other_share * other_share / static_cast<double>(after.size() - 1));
  return change;
}

std::vector<std::vector<measure::estimate>> holm_intervals(std::span<const row_changes> rows,
                                                           double threshold) {
  std::vector<double> chances;
  for (const row_changes& row : rows) chances.push_back(chance_of(row, threshold));
  std::vector<std::size_t> order(rows.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t index, std::size_t other) { return chances[index] < chances[other]; });
  std::vector<std::vector<measure::estimate>> intervals(rows.size());
  std::size_t remaining = rows.size();
  bool is_clear = true;
  for (const std::size_t row : order) {
    const double level = family_error / static_cast<double>(remaining);
    for (const log_change& change : rows[row]) {
      const double half = half_width(change, level);
      intervals[row].push_back(
          {std::exp(change.mean), std::exp(change.mean - half), std::exp(change.mean + half)});
    }
    is_clear = is_clear && chances[row] < level;
    if (is_clear) --remaining;
  }
  return intervals;
}

}  // namespace ropewalk::bench
