#pragma once
// Non-finite values stay in their pair: a NaN or an infinity changes no other channel, and neither vanishes.

#include "ropewalk/law/judge/bound.hpp"
#include "ropewalk/law/kernel/checked_rotation.hpp"
#include "ropewalk/law/law.hpp"

namespace ropewalk::rotation_laws {

measurement judge_non_finite(const checked_rotation& kernel, const law_case& test_case);

inline constexpr law<checked_rotation> non_finite{
    .name = "non-finite",
    .statement = "a NaN or an infinity changes no other pair",
    .equality = "equal bits where the kernel promises bits",
    .proof = "proofs/kernel/rotation_bound.md, section 6, agreement",
    .catches = "fault-nan-spreads",
    .trivial = trivial_difference_bound,
    .bound_from = agreement_bound,
    .needs = {.every_bit_pattern = true},
    .measure = judge_non_finite};

}  // namespace ropewalk::rotation_laws
