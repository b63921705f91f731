#pragma once
// Kinds of positions: a whole position gives the same rotation as an int32 and in binary64.

#include "ropewalk/law/judge/bound.hpp"
#include "ropewalk/law/kernel/checked_rotation.hpp"
#include "ropewalk/law/law.hpp"

namespace ropewalk::rotation_laws {

measurement judge_position_kinds(const checked_rotation& kernel, const law_case& test_case);

inline constexpr law<checked_rotation> position_kinds{
    .name = "position-kinds",
    .statement = "a whole position comes out alike as an int32 and in binary64",
    .equality = "equal bits where the kernel promises bits",
    .proof = "proofs/kernel/rotation_bound.md, section 6, agreement",
    .catches = "fault-real-positions-off-by-one",
    .trivial = trivial_difference_bound,
    .bound_from = agreement_bound,
    .needs = {.every_bit_pattern = true, .whole_positions = true},
    .applies = [](const checked_rotation& kernel) { return kernel.served().serves_real_positions(); },
    .measure = judge_position_kinds};

}  // namespace ropewalk::rotation_laws
