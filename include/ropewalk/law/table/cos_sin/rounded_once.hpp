#pragma once
// Rounded once: every cosine and sine is the exact one, attention factor included, correctly rounded.

#include "ropewalk/law/judge/same_value.hpp"
#include "ropewalk/law/law.hpp"
#include "ropewalk/law/table/cos_sin/cos_sin.hpp"

namespace ropewalk::cos_sin_laws {

measurement judge_rounded_once(const checked_cos_sin& of, const listed_positions& given);

inline constexpr law<checked_cos_sin> rounded_once{
    .name = "rounded-once",
    .statement = "every cosine and sine is the exact one, attention factor included, rounded once",
    .equality = "equal values",
    .catches = "numbers below 2^-6 are one ulp too far from zero",
    .measure = judge_rounded_once};

}  // namespace ropewalk::cos_sin_laws
