#pragma once
// Rounded once: every cosine and sine is the exact one, scale included, correctly rounded.

#include "ropewalk/law/judge/same_value.hpp"
#include "ropewalk/law/law.hpp"
#include "ropewalk/law/table/xpos/xpos.hpp"

namespace ropewalk::xpos_laws {

measurement judge_rounded_once(const checked_xpos_rows& of, const listed_positions& given);

inline constexpr law<checked_xpos_rows> rounded_once{
    .name = "rounded-once",
    .statement = "every cosine and sine is the exact one, scale included, rounded once",
    .equality = "equal values",
    .catches = "every pair is half a turn too far",
    .measure = judge_rounded_once};

}  // namespace ropewalk::xpos_laws
