#pragma once
// Within table: every bucket has a row in the learned table.

#include "ropewalk/law/law.hpp"
#include "ropewalk/law/table/buckets/buckets.hpp"

namespace ropewalk::bucket_laws {

measurement judge_within_table(const checked_buckets& of, const whole_table&);

inline constexpr law<checked_buckets> within_table{
    .name = "within-table",
    .statement = "every bucket has a row in the table",
    .equality = "order, without tolerance",
    .proof =
        "proofs/encoding/t5_bias_proof.cpp, bucket_never_decreases_with_distance; "
        "proofs/encoding/t5_bias_proof.cpp, bucket_saturates_at_max_distance; "
        "proofs/encoding/t5_bias_proof.cpp, keys_ahead_have_the_other_half_of_the_buckets_or_none",
    .catches = "the bucket is not clamped from max_distance on",
    .measure = judge_within_table};

}  // namespace ropewalk::bucket_laws
