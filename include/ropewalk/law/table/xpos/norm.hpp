#pragma once
// Norm: a pair's norm is z^exponent in queries and 1 over it in keys.

#include "ropewalk/law/law.hpp"
#include "ropewalk/law/table/xpos/xpos.hpp"

namespace ropewalk::xpos_laws {

measurement judge_norm(const checked_xpos_rows& of, const listed_positions& given);

inline constexpr law<checked_xpos_rows> norm{
    .name = "norm",
    .statement = "a pair grows by z^exponent in queries and shrinks by it in keys",
    .norm = "scale^2",
    .proof =
        "proofs/encoding/xpos_proof.cpp, pair_has_the_norm_of_its_scale; "
        "proofs/kernel/rotation_bound.md, lemma 1, for each entry",
    .catches = "the scale is missing",
    .bound_in = squared_norm_bound_in,
    .measure = judge_norm};

}  // namespace ropewalk::xpos_laws
