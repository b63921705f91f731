#pragma once
// Unit rotation: a key cached at one position is moved to another without a second attention factor.

#include "ropewalk/law/judge/compiled_law.hpp"
#include "ropewalk/law/kernel/composition.hpp"
#include "ropewalk/law/law.hpp"

namespace ropewalk {

/// |observed - a R(position + shift) x| of the case turned by a R(position), then by R(shift), against
/// composition_bound.
template <floating_format Float>
measurement measure_unit_rotation(const held_rotation& kernel, const law_case& given) {
  const law_case second =
      detail::shifted(detail::next_rotation(given, kernel.turned(given), given.flags | ROPEWALK_UNIT));
  return detail::judge_two_rotations<Float>(
      kernel, given, detail::rotate_again(kernel, second), true,
      [&](const place& where) { return detail::shift_at(given, where.pair); });
}
ROPEWALK_COMPILED_LAW(measure_unit_rotation, const held_rotation&, const law_case&);

namespace rotation_laws {

inline constexpr law<held_rotation> unit_rotation{
    .name = "unit-rotation",
    .statement = "a cached key is moved without a second attention factor",
    .norm = "a|x|",
    .proof = "proofs/kernel/rotation_bound.md, section 6, composition",
    .catches = "fault-attention-in-unit",
    .trivial = trivial_bound,
    .bound_from = detail::bound_of_two_rotations,
    .needs = {.attention_factor = true, .second_rotation = true},
    .beyond_limits = [](const held_rotation& kernel) -> std::string_view {
      if (kernel.served().lacks(ROPEWALK_NO_UNIT)) return "unit rotation is not served";
      return kernel.served().has_sums() ? "" : "no two served positions have a served sum";
    },
    .measure =
        [](const held_rotation& kernel, const law_case& given) {
          return with_format(given.dtype,
                             [&]<class Float>() { return measure_unit_rotation<Float>(kernel, given); });
        }};

}  // namespace rotation_laws

}  // namespace ropewalk
