#pragma once
// Buckets of T5 with one fault each, as implementations have them.

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdlib>

#include "ropewalk/config/t5_bias.hpp"

namespace ropewalk::example {

/// The definition with step(distance, config) in place of the quotient of logarithms times K, the number of
/// growing buckets.
template <class Step>
auto buckets_by(Step step) {
  return [step](std::int64_t relative_position, const t5_bias& config) {
    const int all = buckets_per_direction(config), exact = exact_buckets(config);
    const int first = config.bidirectional && relative_position > 0 ? all : 0;
    const std::int64_t distance =
        config.bidirectional ? std::abs(relative_position) : std::max<std::int64_t>(-relative_position, 0);
    if (distance < exact) return first + static_cast<int>(distance);
    return first + std::min(exact + static_cast<int>(step(distance, config)), all - 1);
  };
}

/// log(n / exact) / log(max_distance / exact) x K in binary64.
inline double binary64_log_of_quotient(std::int64_t distance, const t5_bias& config) {
  const int exact = exact_buckets(config);
  const double n = static_cast<double>(distance), last = config.max_distance;
  return std::log(n / exact) / std::log(last / exact) * (buckets_per_direction(config) - exact);
}

/// (log n - log exact) / (log max_distance - log exact) x K in binary64.
inline double binary64_difference_of_logs(std::int64_t distance, const t5_bias& config) {
  const int exact = exact_buckets(config);
  const double n = static_cast<double>(distance), last = config.max_distance, log_exact = std::log(exact);
  return (std::log(n) - log_exact) / (std::log(last) - log_exact) * (buckets_per_direction(config) - exact);
}

/// As implementations compute it: the distance and its logarithm in binary32.
inline float binary32_log_of_quotient(std::int64_t distance, const t5_bias& config) {
  const int exact = exact_buckets(config);
  const auto quotient = static_cast<float>(distance) / static_cast<float>(exact);
  const auto whole = static_cast<float>(std::log(static_cast<double>(config.max_distance) / exact));
  return std::log(quotient) / whole * static_cast<float>(buckets_per_direction(config) - exact);
}

}  // namespace ropewalk::example
