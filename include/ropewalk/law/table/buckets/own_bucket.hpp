#pragma once
// Own bucket: distances below exact_buckets, and no others, have a bucket each.

#include "ropewalk/law/law.hpp"
#include "ropewalk/law/table/buckets/buckets.hpp"

namespace ropewalk::bucket_laws {

measurement judge_own_bucket(const checked_buckets& of, const whole_table&);

inline constexpr law<checked_buckets> own_bucket{
    .name = "own-bucket",
    .statement = "distances below exact_buckets, and no others, have a bucket each",
    .equality = "equal buckets",
    .proof =
        "proofs/encoding/t5_bias_proof.cpp, distances_have_their_own_bucket_strictly_below_8; "
        "proofs/encoding/t5_bias_proof.cpp, distances_of_the_decoder_have_their_own_bucket_below_16",
    .catches = "the last distance with a bucket of its own falls into the next bucket",
    .measure = judge_own_bucket};

}  // namespace ropewalk::bucket_laws
