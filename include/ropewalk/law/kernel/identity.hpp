#pragma once
// Identity: at position 0 a R(0) x = a x. With attention factor 1 nothing is rounded: values are unchanged.

#include "ropewalk/law/judge/bound.hpp"
#include "ropewalk/law/kernel/checked_rotation.hpp"
#include "ropewalk/law/law.hpp"

namespace ropewalk::rotation_laws {

measurement judge_identity(const checked_rotation& kernel, const law_case& test_case);

inline constexpr law<checked_rotation> identity{
    .name = "identity",
    .statement = "position 0 multiplies by a and does nothing else",
    .norm = "a|x|",
    .equality = "equal values where a is 1; otherwise the bound of accuracy",
    .proof = "proofs/kernel/rotation_bound.md, theorems 7 to 13",
    .catches = "fault-position-off-by-one",
    .trivial = trivial_bound,
    .needs = {.position_zero = true},
    .beyond_limits = [](const checked_rotation& kernel) -> std::string_view {
      return kernel.served().has_position(0) ? "" : "position 0 is not served";
    },
    .measure = judge_identity};

}  // namespace ropewalk::rotation_laws
