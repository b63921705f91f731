#pragma once
// Distance only: the product of two positions' pairs is the pair of their distance.

#include "ropewalk/law/law.hpp"
#include "ropewalk/law/table/cos_sin/cos_sin.hpp"

namespace ropewalk::cos_sin_laws {

measurement judge_distance_only(const checked_cos_sin& of, const listed_positions& given);

inline constexpr law<checked_cos_sin> distance_only{
    .name = "distance-only",
    .statement = "cosine and sine of two positions give those of their distance",
    .norm = "a^2",
    .proof =
        "proofs/encoding/attention_proof.cpp, transposed_rotation_times_rotation_is_that_of_the_distance; "
        "proofs/kernel/rotation_bound.md, lemma 1, for each entry",
    .catches = "every sine is negated: angles turn the other way",
    .bound_in = squared_norm_bound_in,
    .measure = judge_distance_only};

}  // namespace ropewalk::cos_sin_laws
