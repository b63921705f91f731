#pragma once
// Environment: a kernel gives the same bits to callers that flush subnormals to zero or round upward.

#include "ropewalk/law/kernel/checked_rotation.hpp"
#include "ropewalk/law/law.hpp"

namespace ropewalk::rotation_laws {

measurement judge_environment(const checked_rotation& kernel, const law_case& test_case);

inline constexpr law<checked_rotation> environment{
    .name = "environment",
    .statement = "the caller's floating environment changes no bit",
    .equality = "equal bits",
    .catches = "fault-flush-to-zero",
    .needs = {.every_bit_pattern = true, .environments = true},
    .applies = [](const checked_rotation& kernel) { return kernel.is_asked_everywhere(); },
    .measure = judge_environment};

}  // namespace ropewalk::rotation_laws
