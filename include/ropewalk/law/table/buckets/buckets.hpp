#pragma once
// T5's buckets under test: assignments of distances to buckets from any source. Buckets are integers, so
// equality decides every law.

#include <algorithm>
#include <cstdint>
#include <functional>
#include <vector>

#include "ropewalk/encoding/t5_bias.hpp"
#include "ropewalk/law/judge/measurement.hpp"
#include "ropewalk/law/law.hpp"
#include "ropewalk/law/table/entries.hpp"
#include "ropewalk/numeric/format.hpp"

namespace ropewalk {

/// Gives the bucket of a relative position: the key's position minus the query's.
using bucket_source = std::function<int(std::int64_t relative_position, const t5_bias&)>;

/// An assignment of buckets and its configuration.
struct checked_buckets {
  using case_type = whole_table;
  using needs_type = no_needs;

  bucket_source buckets;
  t5_bias config;
};

namespace detail::t5_law {

/// Cap on the distances judged one by one. Beyond it, powers of two, max_distance and their neighbours are.
inline constexpr std::int64_t last_of_every_distance = 4096;

/// Distances that a law judges, in order, up to 2^31 + 1: every one to max_distance + 2 or the cap, then
/// powers of two and max_distance with their neighbours.
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

/// Judges holds(distance, bucket) for every distance, with the bucket of a key `distance` before the query.
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

}  // namespace detail::t5_law

}  // namespace ropewalk
