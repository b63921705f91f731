#pragma once
// Relative: a score depends on the distance alone, and falls with it by z^(1 / scale_base).

#include "ropewalk/law/law.hpp"
#include "ropewalk/law/table/xpos/xpos.hpp"

namespace ropewalk::xpos_laws {

measurement judge_relative(const checked_xpos_rows& of, const listed_positions& given);

inline constexpr law<checked_xpos_rows> relative{
    .name = "relative",
    .statement = "a score depends on the distance alone, and falls with it by z^(1 / scale_base)",
    .norm = "scale^2",
    .proof =
        "proofs/encoding/xpos_proof.cpp, score_depends_on_the_distance_alone; "
        "proofs/kernel/rotation_bound.md, lemma 1, for each entry",
    .catches = "every sine is negated: angles turn the other way",
    .bound_in = squared_norm_bound_in,
    .measure = judge_relative};

}  // namespace ropewalk::xpos_laws
