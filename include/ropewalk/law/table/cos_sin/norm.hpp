#pragma once
// Norm: cosine and sine of a pair lie on the circle whose radius is the attention factor.

#include "ropewalk/law/law.hpp"
#include "ropewalk/law/table/cos_sin/cos_sin.hpp"

namespace ropewalk::cos_sin_laws {

measurement judge_norm(const checked_cos_sin& of, const listed_positions& given);

inline constexpr law<checked_cos_sin> norm{
    .name = "norm",
    .statement = "cosine and sine of a pair lie on the circle of the attention factor",
    .norm = "a^2",
    .proof = "proofs/kernel/rotation_bound.md, lemma 1, for each entry",
    .catches = "cosines and sines are eight ulps too large, except at position 0",
    .bound_in = squared_norm_bound_in,
    .measure = judge_norm};

}  // namespace ropewalk::cos_sin_laws
