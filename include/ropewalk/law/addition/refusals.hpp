#pragma once
// Refusals, for sums: a call that kernel.h forbids is refused, and nothing is written.

#include "ropewalk/law/addition/checked_addition.hpp"
#include "ropewalk/law/kernel/refusals.hpp"
#include "ropewalk/law/law.hpp"

namespace ropewalk {

namespace addition_laws {

measurement judge_refusals(const checked_addition& kernel, const law_case& test_case);

inline constexpr law<checked_addition> refusals{
    .name = "refusals",
    .statement = "a call that kernel.h forbids is refused, and nothing is written",
    .equality = "the status, and every byte of the tensors",
    .catches = "fault-sinusoidal-any-range",
    .needs = {.few_elements = true},
    .beyond_limits = detail::why_without_refusals<checked_addition>,
    .measure = judge_refusals};

}  // namespace addition_laws

}  // namespace ropewalk
