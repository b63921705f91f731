#pragma once
// Directions: keys ahead have the other half of the buckets if bidirectional, else bucket 0.

#include "ropewalk/law/law.hpp"
#include "ropewalk/law/table/buckets/buckets.hpp"

namespace ropewalk::bucket_laws {

measurement judge_directions(const checked_buckets& of, const whole_table&);

inline constexpr law<checked_buckets> directions{
    .name = "directions",
    .statement = "keys ahead have the other half of the buckets, or bucket 0",
    .equality = "equal buckets",
    .proof = "proofs/encoding/t5_bias_proof.cpp, keys_ahead_have_the_other_half_of_the_buckets_or_none",
    .catches = "keys ahead share the buckets of keys behind",
    .measure = judge_directions};

}  // namespace ropewalk::bucket_laws
