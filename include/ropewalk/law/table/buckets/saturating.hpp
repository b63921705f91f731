#pragma once
// Saturating: all distances from max_distance on share the last bucket.

#include "ropewalk/law/law.hpp"
#include "ropewalk/law/table/buckets/buckets.hpp"

namespace ropewalk::bucket_laws {

measurement judge_saturating(const checked_buckets& of, const whole_table&);

inline constexpr law<checked_buckets> saturating{
    .name = "saturating",
    .statement = "from max_distance on all share the last bucket",
    .equality = "equal buckets",
    .proof = "proofs/encoding/t5_bias_proof.cpp, bucket_saturates_at_max_distance",
    .catches = "distances from max_distance on have one bucket more",
    .measure = judge_saturating};

}  // namespace ropewalk::bucket_laws
