#pragma once
// Rounded once: every entry is the exact value correctly rounded.

#include "ropewalk/law/law.hpp"
#include "ropewalk/law/table/sinusoids/sinusoids.hpp"

namespace ropewalk::sinusoidal_laws {

measurement judge_rounded_once(const checked_sinusoids& of, const position_range& given);

inline constexpr law<checked_sinusoids> rounded_once{
    .name = "rounded-once",
    .statement = "every entry is the exact value rounded once",
    .equality = "equal values",
    .catches = "numbers below 2^-6 are one ulp too far from zero",
    .measure = judge_rounded_once};

}  // namespace ropewalk::sinusoidal_laws
