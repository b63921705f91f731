#pragma once
// Scale one: queries of the first step keep their length.

#include "ropewalk/law/law.hpp"
#include "ropewalk/law/table/query_scales/query_scales.hpp"

namespace ropewalk::query_scale_laws {

measurement judge_scale_one(const checked_query_scales& of, const position_range& given);

inline constexpr law<checked_query_scales> scale_one{
    .name = "scale-one",
    .statement = "the scale is 1 where position + shift is below the length",
    .equality = "equal values",
    .proof = "proofs/encoding/query_scale_proof.cpp, first_step_is_one",
    .catches = "the first step is scaled as the second is",
    .measure = judge_scale_one};

}  // namespace ropewalk::query_scale_laws
