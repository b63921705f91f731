#pragma once
// Inverse: backward after forward gives x back, times the square of the attention factor.

#include "ropewalk/law/judge/bound.hpp"
#include "ropewalk/law/kernel/checked_rotation.hpp"
#include "ropewalk/law/kernel/composition.hpp"
#include "ropewalk/law/law.hpp"

namespace ropewalk::rotation_laws {

measurement judge_round_trip(const checked_rotation& kernel, const law_case& test_case);

inline constexpr law<checked_rotation> round_trip{
    .name = "round-trip",
    .statement = "backward after forward is a^2 x",
    .norm = "a^2|x|",
    .proof = "proofs/kernel/rotation_bound.md, section 6, composition",
    .catches = "fault-backward-is-forward",
    .trivial = trivial_bound,
    .bound_from = detail::bound_of_two_rotations,
    .needs = {.opposite_positions = true},
    .beyond_limits = [](const checked_rotation& kernel) -> std::string_view {
      const bool is_put_by_sign = kernel.served().lacks(ROPEWALK_NO_BACKWARD);
      return is_put_by_sign && !kernel.served().has_opposites()
                 ? "neither backward nor opposite positions are served"
                 : "";
    },
    .measure = judge_round_trip};

}  // namespace ropewalk::rotation_laws
