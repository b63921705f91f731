#pragma once
// Unit rotation: a key cached at one position is moved to another without a second attention factor.

#include "ropewalk/law/judge/bound.hpp"
#include "ropewalk/law/kernel/checked_rotation.hpp"
#include "ropewalk/law/kernel/composition.hpp"
#include "ropewalk/law/law.hpp"

namespace ropewalk::rotation_laws {

measurement judge_unit_rotation(const checked_rotation& kernel, const law_case& test_case);

inline constexpr law<checked_rotation> unit_rotation{
    .name = "unit-rotation",
    .statement = "a cached key is moved without a second attention factor",
    .norm = "a|x|",
    .proof = "proofs/kernel/rotation_bound.md, section 6, composition",
    .catches = "fault-attention-in-unit",
    .trivial = trivial_bound,
    .bound_from = detail::bound_of_two_rotations,
    .needs = {.attention_factor = true, .second_rotation = true},
    .beyond_limits = [](const checked_rotation& kernel) -> std::string_view {
      if (kernel.served().lacks(ROPEWALK_NO_UNIT)) return "unit rotation is not served";
      return kernel.served().has_sums() ? "" : "no two served positions have a served sum";
    },
    .measure = judge_unit_rotation};

}  // namespace ropewalk::rotation_laws
