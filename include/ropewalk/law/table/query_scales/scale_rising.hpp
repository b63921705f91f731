#pragma once
// Scale rising: no query is scaled by less than one before it.

#include "ropewalk/law/law.hpp"
#include "ropewalk/law/table/query_scales/query_scales.hpp"

namespace ropewalk::query_scale_laws {

measurement judge_scale_rising(const checked_query_scales& of, const position_range& given);

inline constexpr law<checked_query_scales> scale_rising{
    .name = "scale-rising",
    .statement = "no scale is below the one before it",
    .equality = "order, without tolerance",
    .proof = "proofs/encoding/query_scale_proof.cpp, scales_never_fall",
    .catches = "the query is divided by the scale",
    .measure = judge_scale_rising};

}  // namespace ropewalk::query_scale_laws
