#include "measure/interval.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <random>

namespace ropewalk::measure {
namespace {

constexpr double confidence = 0.95;
constexpr std::size_t resamples = 2000;
constexpr std::uint64_t seed = 1;

/// A whole number below `end`, close enough to uniform: `end` is far below 2^32.
std::size_t below(std::size_t end, std::mt19937_64& dice) {
  return static_cast<std::size_t>(((dice() >> 32) * end) >> 32);
}

double quantile(const std::vector<double>& sorted, double share) {
  const auto at = static_cast<std::size_t>(std::lround(share * static_cast<double>(sorted.size() - 1)));
  return sorted[at];
}

double resampled_median(const std::vector<std::vector<double>>& repetitions, std::vector<double>& drawn,
                        std::mt19937_64& dice) {
  drawn.clear();
  for (std::size_t i = 0; i < repetitions.size(); ++i) {
    const std::vector<double>& rounds = repetitions[below(repetitions.size(), dice)];
    for (std::size_t round = 0; round < rounds.size(); ++round)
      drawn.push_back(rounds[below(rounds.size(), dice)]);
  }
  const auto middle = drawn.begin() + static_cast<std::ptrdiff_t>(drawn.size() / 2);
  std::nth_element(drawn.begin(), middle, drawn.end());
  return *middle;
}

}  // namespace

double median(std::vector<double> values) {
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

estimate estimate_of(const std::vector<std::vector<double>>& repetitions) {
  std::vector<std::vector<double>> measured;
  std::vector<double> all;
  for (const std::vector<double>& rounds : repetitions) {
    if (!rounds.empty()) measured.push_back(rounds);
    all.insert(all.end(), rounds.begin(), rounds.end());
  }
  if (all.empty()) return {};
  std::mt19937_64 dice(seed);
  std::vector<double> drawn, medians;
  for (std::size_t i = 0; i < resamples; ++i) medians.push_back(resampled_median(measured, drawn, dice));
  std::sort(medians.begin(), medians.end());
  const double tail = (1 - confidence) / 2;
  return {median(std::move(all)), quantile(medians, tail), quantile(medians, 1 - tail)};
}

std::string noise_of(const estimate& estimate, double change) {
  const double reach =
      std::max(estimate.high - estimate.median, estimate.median - estimate.low) / estimate.median;
  if (std::isnan(reach) || reach <= change) return {};
  return fmt::format(
      "too noisy to say: the interval reaches {:.0f} % from the median, so that a change of {:.0f} % would "
      "not show",
      std::ceil(reach * 100), change * 100);
}

void estimate_row(bench_row& row) {
  std::vector<std::vector<double>> seconds, ratios;
  for (const std::vector<round_times>& rounds : row.repetitions) {
    seconds.emplace_back();
    ratios.emplace_back();
    for (const round_times& round : rounds) {
      seconds.back().push_back(round.work);
      if (round.other > 0) ratios.back().push_back(round.work / round.other);
    }
  }
  row.seconds = estimate_of(seconds);
  row.ratio = estimate_of(ratios);
  row.noise = noise_of(std::isnan(row.ratio.median) ? row.seconds : row.ratio);
}

}  // namespace ropewalk::measure
