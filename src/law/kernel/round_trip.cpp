#include "ropewalk/law/kernel/round_trip.hpp"

#include "ropewalk/law/kernel/composition.hpp"
#include "ropewalk/law/law.hpp"

namespace ropewalk {

/// |backward(forward(x)) - a^2 x| against composition_bound.
template <floating_format Float>
measurement measure_round_trip(const checked_rotation& kernel, const law_case& given) {
  law_case second = detail::next_rotation(given, kernel.turned(given), given.flags ^ ROPEWALK_BACKWARD);
  if (kernel.served().lacks(ROPEWALK_NO_BACKWARD)) {
    second.flags = given.flags;
    for (double& position : second.positions) position = -position;
  }
  return detail::judge_two_rotations<Float>(kernel, given, detail::rotate_again(kernel, second),
                                            is_unit(given),
                                            [](const place& where) { return -where.position; });
}

measurement rotation_laws::judge_round_trip(const checked_rotation& kernel, const law_case& given) {
  return with_format(given.dtype, [&]<class Float>() { return measure_round_trip<Float>(kernel, given); });
}

}  // namespace ropewalk
