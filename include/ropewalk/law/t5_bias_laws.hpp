#pragma once
// What every assignment of distances to T5's buckets owes the definition, whoever made it. Buckets are whole
// numbers: equality decides.

#include <algorithm>
#include <array>
#include <cstdint>
#include <functional>
#include <string_view>
#include <vector>

#include "ropewalk/encoding/t5_bias.hpp"
#include "ropewalk/law/measurement.hpp"
#include "ropewalk/numeric/format.hpp"

namespace ropewalk {

/// Says the bucket of a relative position, key less query.
using bucket_source = std::function<int(std::int64_t relative_position, const t5_bias&)>;

struct bucket_law {
  std::string_view name;
  std::string_view statement;
  measurement (*measure)(const bucket_source&, const t5_bias&);
};

namespace detail::t5_law {

/// Every distance up to this one is judged, and powers of two with their neighbours beyond.
inline constexpr std::int64_t last_of_every_distance = 4096;

/// Distances that a law looks at, in order, up to 2^31.
inline std::vector<std::int64_t> judged_distances(const t5_bias& config) {
  const std::int64_t beyond = std::int64_t{config.max_distance} + 2;
  std::vector<std::int64_t> r;
  for (std::int64_t distance = 0; distance <= std::min(beyond, last_of_every_distance); ++distance)
    r.push_back(distance);
  for (int k = 2; k <= 31; ++k)
    for (const int nudge : {-1, 0, 1}) r.push_back((std::int64_t{1} << k) + nudge);
  for (const int nudge : {-1, 0, 1}) r.push_back(config.max_distance + std::int64_t{nudge});
  std::sort(r.begin(), r.end());
  r.erase(std::unique(r.begin(), r.end()), r.end());
  return r;
}

/// Asks holds(distance, bucket behind) of every distance judged.
template <class Holds>
measurement judge_buckets(const bucket_source& buckets, const t5_bias& config, Holds holds) {
  validate(config);
  measurement m;
  for (const std::int64_t distance : judged_distances(config)) {
    const int bucket = buckets(-distance, config);
    place where;
    where.position = static_cast<std::int32_t>(std::min<std::int64_t>(distance, INT32_MAX));
    record(m, judge_equal(holds(distance, bucket)), where, [&] {
      return evidence{ROPEWALK_F64, 1, {}, {}, {to_bits(static_cast<double>(bucket))}};
    });
  }
  return m;
}

inline measurement measure_own_buckets(const bucket_source& buckets, const t5_bias& config) {
  return judge_buckets(buckets, config, [&](std::int64_t distance, int bucket) {
    return (distance < exact_buckets(config)) == (bucket < exact_buckets(config)) &&
           (distance >= exact_buckets(config) || bucket == distance);
  });
}

inline measurement measure_never_decreasing(const bucket_source& buckets, const t5_bias& config) {
  int before = 0;
  return judge_buckets(buckets, config, [&](std::int64_t, int bucket) {
    const bool holds = bucket >= before;
    before = bucket;
    return holds;
  });
}

inline measurement measure_edges(const bucket_source& buckets, const t5_bias& config) {
  const int exact = exact_buckets(config), growing = buckets_per_direction(config) - exact;
  return judge_buckets(buckets, config, [&](std::int64_t distance, int bucket) {
    if (distance < exact || distance >= config.max_distance) return true;
    const int step = bucket - exact;
    return step >= 0 && step < growing && reaches_t5_step(distance, step, config) &&
           !reaches_t5_step(distance, step + 1, config);
  });
}

inline measurement measure_saturating(const bucket_source& buckets, const t5_bias& config) {
  return judge_buckets(buckets, config, [&](std::int64_t distance, int bucket) {
    return distance < config.max_distance || bucket == buckets_per_direction(config) - 1;
  });
}

inline measurement measure_directions(const bucket_source& buckets, const t5_bias& config) {
  return judge_buckets(buckets, config, [&](std::int64_t distance, int bucket) {
    const bool is_ahead = config.bidirectional && distance > 0;
    const int expected = is_ahead ? bucket + buckets_per_direction(config) : 0;
    return buckets(distance, config) == expected && (distance == 0 || bucket != 0);
  });
}

inline measurement measure_within_table(const bucket_source& buckets, const t5_bias& config) {
  return judge_buckets(buckets, config, [&](std::int64_t distance, int bucket) {
    const int ahead = buckets(distance, config);
    return bucket >= 0 && bucket < config.buckets && ahead >= 0 && ahead < config.buckets;
  });
}

}  // namespace detail::t5_law

inline constexpr std::array bucket_laws{
    bucket_law{"own-bucket", "distances below exact_buckets, and no others, have a bucket each",
               detail::t5_law::measure_own_buckets},
    bucket_law{"never-decreasing", "the bucket never decreases with the distance",
               detail::t5_law::measure_never_decreasing},
    bucket_law{"edges", "a bucket begins at the first distance whose power has come to it, a tie included",
               detail::t5_law::measure_edges},
    bucket_law{"saturating", "from max_distance on all share the last bucket",
               detail::t5_law::measure_saturating},
    bucket_law{"directions", "keys ahead have the other half of the buckets, or bucket 0",
               detail::t5_law::measure_directions},
    bucket_law{"within-table", "a bucket is a row of the table", detail::t5_law::measure_within_table},
};

}  // namespace ropewalk
