#pragma once
// Small distances have buckets of their own.

#include <cstdint>

#include "ropewalk/law/law.hpp"
#include "ropewalk/law/table/buckets/buckets.hpp"

namespace ropewalk {

namespace detail::t5_law {

inline measurement measure_own_buckets(const bucket_source& buckets, const t5_bias& config) {
  return judge_buckets(buckets, config, [&](std::int64_t distance, int bucket) {
    return (distance < exact_buckets(config)) == (bucket < exact_buckets(config)) &&
           (distance >= exact_buckets(config) || bucket == distance);
  });
}

}  // namespace detail::t5_law

namespace bucket_laws {

inline constexpr law<held_buckets> own_bucket{
    .name = "own-bucket",
    .statement = "distances below exact_buckets, and no others, have a bucket each",
    .measure = [](const held_buckets& of, const whole_table&) {
      return detail::t5_law::measure_own_buckets(of.buckets, of.config);
    }};

}  // namespace bucket_laws

}  // namespace ropewalk
