#pragma once
// Never decreasing: the bucket does not decrease as the distance grows.

#include "ropewalk/law/law.hpp"
#include "ropewalk/law/table/buckets/buckets.hpp"

namespace ropewalk::bucket_laws {

measurement judge_never_decreasing(const checked_buckets& of, const whole_table&);

inline constexpr law<checked_buckets> never_decreasing{
    .name = "never-decreasing",
    .statement = "the bucket never decreases with the distance",
    .equality = "order, without tolerance",
    .proof = "proofs/encoding/t5_bias_proof.cpp, bucket_never_decreases_with_distance",
    .catches = "two buckets are exchanged",
    .measure = judge_never_decreasing};

}  // namespace ropewalk::bucket_laws
