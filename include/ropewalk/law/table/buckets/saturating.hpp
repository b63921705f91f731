#pragma once
// Saturating: all distances from max_distance on share the last bucket.

#include <cstdint>

#include "ropewalk/law/law.hpp"
#include "ropewalk/law/table/buckets/buckets.hpp"

namespace ropewalk {

namespace detail::t5_law {

inline measurement measure_saturating(const bucket_source& buckets, const t5_bias& config) {
  return judge_buckets(buckets, config, [&](std::int64_t distance, int bucket) {
    return distance < config.max_distance || bucket == buckets_per_direction(config) - 1;
  });
}

}  // namespace detail::t5_law

namespace bucket_laws {

inline constexpr law<held_buckets> saturating{
    .name = "saturating",
    .statement = "from max_distance on all share the last bucket",
    .equality = "equal buckets",
    .proof = "proofs/encoding/t5_bias_proof.cpp, bucket_saturates_at_max_distance",
    .catches = "distances from max_distance on have one bucket more",
    .measure = [](const held_buckets& of, const whole_table&) {
      return detail::t5_law::measure_saturating(of.buckets, of.config);
    }};

}  // namespace bucket_laws

}  // namespace ropewalk
