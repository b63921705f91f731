#pragma once
// Inverse: backward after forward gives x back, times the square of the attention factor.

#include "ropewalk/law/composition.hpp"

namespace ropewalk {

/// |backward(forward(x)) - a^2 x| against composition_bound.
template <floating_format Float>
measurement measure_round_trip(const held_kernel& kernel, const law_case& given) {
  const law_case second = detail::next_rotation(given, kernel.rotate(given), given.flags ^ ROPEWALK_BACKWARD);
  return detail::judge_two_rotations<Float>(kernel, given, detail::rotate_again(kernel, second),
                                            is_unit(given),
                                            [](const place& where) { return -std::int64_t{where.position}; });
}

}  // namespace ropewalk
