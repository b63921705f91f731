#pragma once
// Scale steps: the scale changes nowhere but where a step begins.

#include "ropewalk/law/law.hpp"
#include "ropewalk/law/table/query_scales/query_scales.hpp"

namespace ropewalk::query_scale_laws {

measurement judge_scale_steps(const checked_query_scales& of, const position_range& given);

inline constexpr law<checked_query_scales> scale_steps{
    .name = "scale-steps",
    .statement = "the scale changes only where position + shift is a multiple of the length",
    .equality = "equal values",
    .catches = "the quotient is not rounded down",
    .measure = judge_scale_steps};

}  // namespace ropewalk::query_scale_laws
