#pragma once
// Inverse: backward after forward gives x back, times the square of the attention factor.

#include "ropewalk/law/judge/compiled_law.hpp"
#include "ropewalk/law/kernel/composition.hpp"
#include "ropewalk/law/law.hpp"

namespace ropewalk {

/// |backward(forward(x)) - a^2 x| against composition_bound.
template <floating_format Float>
measurement measure_round_trip(const held_rotation& kernel, const law_case& given) {
  law_case second = detail::next_rotation(given, kernel.turned(given), given.flags ^ ROPEWALK_BACKWARD);
  if (kernel.served().lacks(ROPEWALK_NO_BACKWARD)) {
    second.flags = given.flags;
    for (std::int32_t& position : second.positions) position = -position;
  }
  return detail::judge_two_rotations<Float>(kernel, given, detail::rotate_again(kernel, second),
                                            is_unit(given),
                                            [](const place& where) { return -std::int64_t{where.position}; });
}
ROPEWALK_COMPILED_LAW(measure_round_trip, const held_rotation&, const law_case&);

namespace rotation_laws {

inline constexpr law<held_rotation> round_trip{
    .name = "round-trip",
    .statement = "backward after forward is a^2 x",
    .norm = "a^2|x|",
    .proof = "proofs/kernel/rotation_bound.md, section 6, composition",
    .catches = "fault-backward-is-forward",
    .trivial = trivial_bound,
    .bound_from = detail::bound_of_two_rotations,
    .needs = {.opposite_positions = true},
    .beyond_limits = [](const held_rotation& kernel) -> std::string_view {
      const bool is_put_by_sign = kernel.served().lacks(ROPEWALK_NO_BACKWARD);
      return is_put_by_sign && !kernel.served().has_opposites()
                 ? "neither backward nor opposite positions are served"
                 : "";
    },
    .measure =
        [](const held_rotation& kernel, const law_case& given) {
          return with_format(given.dtype,
                             [&]<class Float>() { return measure_round_trip<Float>(kernel, given); });
        }};

}  // namespace rotation_laws

}  // namespace ropewalk
