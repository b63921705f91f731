#pragma once
// Within table: every bucket has a row in the learned table.

#include <cstdint>

#include "ropewalk/law/law.hpp"
#include "ropewalk/law/table/buckets/buckets.hpp"

namespace ropewalk {

namespace detail::t5_law {

inline measurement measure_within_table(const bucket_source& buckets, const t5_bias& config) {
  return judge_buckets(buckets, config, [&](std::int64_t distance, int bucket) {
    const int ahead = buckets(distance, config);
    return bucket >= 0 && bucket < config.buckets && ahead >= 0 && ahead < config.buckets;
  });
}

}  // namespace detail::t5_law

namespace bucket_laws {

inline constexpr law<held_buckets> within_table{
    .name = "within-table",
    .statement = "every bucket has a row in the table",
    .equality = "order, without tolerance",
    .proof =
        "proofs/encoding/t5_bias_proof.cpp, bucket_never_decreases_with_distance; "
        "proofs/encoding/t5_bias_proof.cpp, bucket_saturates_at_max_distance; "
        "proofs/encoding/t5_bias_proof.cpp, keys_ahead_have_the_other_half_of_the_buckets_or_none",
    .catches = "the bucket is not clamped from max_distance on",
    .measure = [](const held_buckets& of, const whole_table&) {
      return detail::t5_law::measure_within_table(of.buckets, of.config);
    }};

}  // namespace bucket_laws

}  // namespace ropewalk
