#pragma once
// Own bucket: distances below exact_buckets, and no others, have a bucket each.

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
    .equality = "equal buckets",
    .proof =
        "proofs/encoding/t5_bias_proof.cpp, distances_have_their_own_bucket_strictly_below_8; "
        "proofs/encoding/t5_bias_proof.cpp, distances_of_the_decoder_have_their_own_bucket_below_16",
    .catches = "the last distance with a bucket of its own falls into the next bucket",
    .measure = [](const held_buckets& of, const whole_table&) {
      return detail::t5_law::measure_own_buckets(of.buckets, of.config);
    }};

}  // namespace bucket_laws

}  // namespace ropewalk
