#pragma once
// Inverse: backward after forward gives x back, times the square of the attention factor.

#include "ropewalk/law/judge/compiled_law.hpp"
#include "ropewalk/law/kernel/composition.hpp"
#include "ropewalk/law/law.hpp"

namespace ropewalk {

/// |backward(forward(x)) - a^2 x| against composition_bound.
template <floating_format Float>
measurement measure_round_trip(const held_rotation& kernel, const law_case& given) {
  const law_case second = detail::next_rotation(given, kernel.turned(given), given.flags ^ ROPEWALK_BACKWARD);
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
    .measure = [](const held_rotation& kernel, const law_case& given) {
      return with_format(given.dtype,
                         [&]<class Float>() { return measure_round_trip<Float>(kernel, given); });
    }};

}  // namespace rotation_laws

}  // namespace ropewalk
