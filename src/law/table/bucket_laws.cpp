#include "ropewalk/law/table/bucket_laws.hpp"

#include <cstdint>

#include "ropewalk/function/exp_log.hpp"
#include "ropewalk/law/law.hpp"
#include "ropewalk/numeric/round.hpp"

namespace ropewalk {

namespace detail::t5_law {

measurement measure_within_table(const bucket_source& buckets, const t5_bias& config) {
  return judge_buckets(buckets, config, [&](std::int64_t distance, int bucket) {
    const int ahead = buckets(distance, config);
    return bucket >= 0 && bucket < config.buckets && ahead >= 0 && ahead < config.buckets;
  });
}

measurement measure_own_buckets(const bucket_source& buckets, const t5_bias& config) {
  return judge_buckets(buckets, config, [&](std::int64_t distance, int bucket) {
    return (distance < exact_buckets(config)) == (bucket < exact_buckets(config)) &&
           (distance >= exact_buckets(config) || bucket == distance);
  });
}

measurement measure_never_decreasing(const bucket_source& buckets, const t5_bias& config) {
  int before = 0;
  return judge_buckets(buckets, config, [&](std::int64_t, int bucket) {
    const bool holds = bucket >= before;
    before = bucket;
    return holds;
  });
}

/// Multiplicity of a prime in n.
///
/// domain  n >= 1
constexpr int multiplicity(std::int64_t n, std::int64_t prime) {
  int multiplicity = 0;
  for (; n % prime == 0; n /= prime) ++multiplicity;
  return multiplicity;
}

/// Whether distance^growing = max_distance^step exact^(growing - step), by their prime factors.
inline bool is_tie(std::int64_t distance, int step, const t5_bias& config) {
  const std::int64_t exact = exact_buckets(config), growing = buckets_per_direction(config) - exact;
  std::int64_t others = config.max_distance * exact, rest = distance;  // `rest` is the part not factored yet
  const auto balances = [&](std::int64_t prime) {
    while (rest % prime == 0) rest /= prime;
    return growing * multiplicity(distance, prime) ==
           step * multiplicity(config.max_distance, prime) + (growing - step) * multiplicity(exact, prime);
  };
  for (std::int64_t prime = 2; prime * prime <= others; ++prime) {
    if (others % prime != 0) continue;
    if (!balances(prime)) return false;
    while (others % prime == 0) others /= prime;
  }
  return (others == 1 || balances(others)) && rest == 1;
}

struct power_comparison {
  bool is_above;
  bool decided;
};

/// Whether distance^growing >= max_distance^step exact^(growing - step). No power is formed: prime factors
/// decide ties, and logarithms everything else.
inline bool has_come_to(std::int64_t distance, int step, const t5_bias& config) {
  if (is_tie(distance, step, config)) return true;
  const int exact = exact_buckets(config), growing = buckets_per_direction(config) - exact;
  const auto compared = [&]<int N>() {
    const auto times_log = [](int count, std::int64_t number) {
      return enclosure<N>::of(count) * log(enclosure<N>::of(number));
    };
    const enclosure<N> edge = times_log(step, config.max_distance) + times_log(growing - step, exact);
    const order relation = compare(times_log(growing, distance), edge);
    return power_comparison{relation == order::greater, relation != order::undecided};
  };
  return with_enough_limbs("the power of a distance", compared).is_above;
}

measurement measure_edges(const bucket_source& buckets, const t5_bias& config) {
  const int exact = exact_buckets(config), growing = buckets_per_direction(config) - exact;
  return judge_buckets(buckets, config, [&](std::int64_t distance, int bucket) {
    if (distance < exact || distance >= config.max_distance) return true;
    const int step = bucket - exact;
    return step >= 0 && step < growing && has_come_to(distance, step, config) &&
           !has_come_to(distance, step + 1, config);
  });
}

measurement measure_saturating(const bucket_source& buckets, const t5_bias& config) {
  return judge_buckets(buckets, config, [&](std::int64_t distance, int bucket) {
    return distance < config.max_distance || bucket == buckets_per_direction(config) - 1;
  });
}

measurement measure_directions(const bucket_source& buckets, const t5_bias& config) {
  return judge_buckets(buckets, config, [&](std::int64_t distance, int bucket) {
    const bool is_ahead = config.bidirectional && distance > 0;
    const int expected = is_ahead ? bucket + buckets_per_direction(config) : 0;
    return buckets(distance, config) == expected && (distance == 0 || bucket != 0);
  });
}

}  // namespace detail::t5_law

measurement bucket_laws::judge_within_table(const checked_buckets& buckets, const whole_table&) {
  return detail::t5_law::measure_within_table(buckets.buckets, buckets.config);
}

measurement bucket_laws::judge_own_bucket(const checked_buckets& buckets, const whole_table&) {
  return detail::t5_law::measure_own_buckets(buckets.buckets, buckets.config);
}

measurement bucket_laws::judge_never_decreasing(const checked_buckets& buckets, const whole_table&) {
  return detail::t5_law::measure_never_decreasing(buckets.buckets, buckets.config);
}

measurement bucket_laws::judge_edges(const checked_buckets& buckets, const whole_table&) {
  return detail::t5_law::measure_edges(buckets.buckets, buckets.config);
}

measurement bucket_laws::judge_saturating(const checked_buckets& buckets, const whole_table&) {
  return detail::t5_law::measure_saturating(buckets.buckets, buckets.config);
}

measurement bucket_laws::judge_directions(const checked_buckets& buckets, const whole_table&) {
  return detail::t5_law::measure_directions(buckets.buckets, buckets.config);
}

}  // namespace ropewalk
