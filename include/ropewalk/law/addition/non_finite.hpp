#pragma once
// Non-finite inputs of an addition come out unchanged, every NaN as some NaN, and change no other element.

#include "ropewalk/law/addition/checked_addition.hpp"
#include "ropewalk/law/law.hpp"

namespace ropewalk::addition_laws {

measurement judge_non_finite(const checked_addition& kernel, const law_case& test_case);

inline constexpr law<checked_addition> non_finite{
    .name = "non-finite",
    .statement = "a NaN or an infinity stays what it is and changes no other element",
    .equality = "equal bits",
    .catches = "fault-sinusoidal-nan-spreads",
    .needs = {.every_bit_pattern = true},
    .measure = judge_non_finite};

}  // namespace ropewalk::addition_laws
