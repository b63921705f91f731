#pragma once
// Origin: at position 0 every cosine is the attention factor and every sine 0.

#include "ropewalk/law/judge/same_value.hpp"
#include "ropewalk/law/law.hpp"
#include "ropewalk/law/table/cos_sin/cos_sin.hpp"

namespace ropewalk::cos_sin_laws {

measurement judge_origin(const checked_cos_sin& of, const listed_positions& given);

inline constexpr law<checked_cos_sin> origin{
    .name = "origin",
    .statement = "at position 0 every cosine is the attention factor and every sine 0",
    .equality = "equal values",
    .catches = "the attention factor is missing at position 0",
    .measure = judge_origin};

}  // namespace ropewalk::cos_sin_laws
