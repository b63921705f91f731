#pragma once
// Scale rounded once: every scale is the exact one correctly rounded.

#include "ropewalk/law/law.hpp"
#include "ropewalk/law/table/query_scales/query_scales.hpp"

namespace ropewalk::query_scale_laws {

measurement judge_scale_rounded_once(const checked_query_scales& of, const position_range& given);

inline constexpr law<checked_query_scales> scale_rounded_once{
    .name = "scale-rounded-once",
    .statement = "every scale is the exact one rounded once",
    .equality = "equal values",
    .catches = "the logarithm is of base 2",
    .measure = judge_scale_rounded_once};

}  // namespace ropewalk::query_scale_laws
