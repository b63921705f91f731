#pragma once
// Linearity: scaling the input by a power of two scales the output exactly, where nothing is subnormal or
// overflows.

#include "ropewalk/law/kernel/checked_rotation.hpp"
#include "ropewalk/law/law.hpp"

namespace ropewalk::rotation_laws {

measurement judge_linearity(const checked_rotation& kernel, const law_case& test_case);

inline constexpr law<checked_rotation> linearity{
    .name = "linearity",
    .statement = "scaling the input by 2^k scales the output exactly",
    .equality = "equal bits",
    .catches = "fault-small-flushed",
    .needs = {.scaling = true},
    .measure = judge_linearity};

}  // namespace ropewalk::rotation_laws
