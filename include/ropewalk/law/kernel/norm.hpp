#pragma once
// Norm preservation: a rotation keeps the length of each pair, times the attention factor.

#include "ropewalk/law/judge/bound.hpp"
#include "ropewalk/law/kernel/checked_rotation.hpp"
#include "ropewalk/law/law.hpp"

namespace ropewalk::rotation_laws {

measurement judge_norm(const checked_rotation& kernel, const law_case& test_case);

inline constexpr law<checked_rotation> norm{
    .name = "norm",
    .statement = "|y| = a |x| in every pair",
    .norm = "a|x|",
    .proof = "proofs/kernel/rotation_bound.md, section 6, norm (theorem 14)",
    .catches = "fault-attention-dropped",
    .measure = judge_norm};

}  // namespace ropewalk::rotation_laws
