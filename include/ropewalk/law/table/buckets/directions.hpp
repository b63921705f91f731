#pragma once
// Directions: keys ahead have the other half of the buckets if bidirectional, else bucket 0.

#include <cstdint>

#include "ropewalk/law/law.hpp"
#include "ropewalk/law/table/buckets/buckets.hpp"

namespace ropewalk {

namespace detail::t5_law {

inline measurement measure_directions(const bucket_source& buckets, const t5_bias& config) {
  return judge_buckets(buckets, config, [&](std::int64_t distance, int bucket) {
    const bool is_ahead = config.bidirectional && distance > 0;
    const int expected = is_ahead ? bucket + buckets_per_direction(config) : 0;
    return buckets(distance, config) == expected && (distance == 0 || bucket != 0);
  });
}

}  // namespace detail::t5_law

namespace bucket_laws {

inline constexpr law<held_buckets> directions{
    .name = "directions",
    .statement = "keys ahead have the other half of the buckets, or bucket 0",
    .equality = "equal buckets",
    .proof = "proofs/encoding/t5_bias_proof.cpp, keys_ahead_have_the_other_half_of_the_buckets_or_none",
    .catches = "keys ahead share the buckets of keys behind",
    .measure = [](const held_buckets& of, const whole_table&) {
      return detail::t5_law::measure_directions(of.buckets, of.config);
    }};

}  // namespace bucket_laws

}  // namespace ropewalk
