#pragma once
// Edges: each bucket above the exact ones begins at the distance that the definition says.

#include "ropewalk/law/law.hpp"
#include "ropewalk/law/table/buckets/buckets.hpp"

namespace ropewalk::bucket_laws {

measurement judge_edges(const checked_buckets& of, const whole_table&);

inline constexpr law<checked_buckets> edges{
    .name = "edges",
    .statement = "each bucket begins where the definition says, ties included",
    .equality = "equal buckets",
    .proof =
        "proofs/encoding/t5_bias_proof.cpp, every_bucket_begins_where_the_logarithm_says; "
        "proofs/encoding/t5_bias_proof.cpp, ties_belong_to_the_bucket_that_they_begin",
    .catches = "logarithms are a few ulps too small, so that ties fall into the bucket before",
    .measure = judge_edges};

}  // namespace ropewalk::bucket_laws
