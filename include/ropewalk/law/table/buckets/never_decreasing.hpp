#pragma once
// Never decreasing: the bucket does not decrease as the distance grows.

#include <cstdint>

#include "ropewalk/law/law.hpp"
#include "ropewalk/law/table/buckets/buckets.hpp"

namespace ropewalk {

namespace detail::t5_law {

inline measurement measure_never_decreasing(const bucket_source& buckets, const t5_bias& config) {
  int before = 0;
  return judge_buckets(buckets, config, [&](std::int64_t, int bucket) {
    const bool holds = bucket >= before;
    before = bucket;
    return holds;
  });
}

}  // namespace detail::t5_law

namespace bucket_laws {

inline constexpr law<held_buckets> never_decreasing{
    .name = "never-decreasing",
    .statement = "the bucket never decreases with the distance",
    .equality = "order, without tolerance",
    .proof = "proofs/encoding/t5_bias_proof.cpp, bucket_never_decreases_with_distance",
    .catches = "two buckets are exchanged",
    .measure = [](const held_buckets& of, const whole_table&) {
      return detail::t5_law::measure_never_decreasing(of.buckets, of.config);
    }};

}  // namespace bucket_laws

}  // namespace ropewalk
