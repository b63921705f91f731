#pragma once
// Where each bucket begins.

#include <cstdint>

#include "ropewalk/law/law.hpp"
#include "ropewalk/law/table/buckets/buckets.hpp"

namespace ropewalk {

namespace detail::t5_law {

inline measurement measure_edges(const bucket_source& buckets, const t5_bias& config) {
  const int exact = exact_buckets(config), growing = buckets_per_direction(config) - exact;
  return judge_buckets(buckets, config, [&](std::int64_t distance, int bucket) {
    if (distance < exact || distance >= config.max_distance) return true;
    const int step = bucket - exact;
    return step >= 0 && step < growing && reaches_t5_step(distance, step, config) &&
           !reaches_t5_step(distance, step + 1, config);
  });
}

}  // namespace detail::t5_law

namespace bucket_laws {

inline constexpr law<held_buckets> edges{
    .name = "edges",
    .statement = "a bucket begins at the first distance whose power has come to it, a tie included",
    .measure = [](const held_buckets& of, const whole_table&) {
      return detail::t5_law::measure_edges(of.buckets, of.config);
    }};

}  // namespace bucket_laws

}  // namespace ropewalk
