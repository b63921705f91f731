#pragma once
// Split into axes: a pair rotates by the position on its own axis, whatever the other positions are.

#include "ropewalk/law/judge/bound.hpp"
#include "ropewalk/law/kernel/checked_rotation.hpp"
#include "ropewalk/law/law.hpp"

namespace ropewalk::rotation_laws {

measurement judge_own_axis(const checked_rotation& kernel, const law_case& test_case);

inline constexpr law<checked_rotation> own_axis{
    .name = "own-axis",
    .statement = "a pair comes out as if every axis were at the position of its own",
    .equality = "equal bits where the kernel promises bits",
    .proof = "proofs/kernel/rotation_bound.md, section 6, agreement",
    .catches = "fault-axis-first",
    .trivial = trivial_difference_bound,
    .bound_from = agreement_bound,
    .needs = {.every_bit_pattern = true},
    .applies = [](const checked_rotation& kernel) { return !is_text(kernel.model().axes); },
    .measure = judge_own_axis};

}  // namespace ropewalk::rotation_laws
