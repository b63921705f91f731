#pragma once
// Origin: at position 0 every sine is 0 and every cosine 1.

#include "ropewalk/law/law.hpp"
#include "ropewalk/law/table/sinusoids/sinusoids.hpp"

namespace ropewalk::sinusoidal_laws {

measurement judge_origin(const checked_sinusoids& of, const position_range& given);

inline constexpr law<checked_sinusoids> origin{
    .name = "origin",
    .statement = "at position 0 every sine is 0 and every cosine 1",
    .equality = "equal values",
    .catches = "positions are counted from one",
    .applies = [](const checked_sinusoids& of) { return !of.config.padding_idx; },
    .measure = judge_origin};

}  // namespace ropewalk::sinusoidal_laws
