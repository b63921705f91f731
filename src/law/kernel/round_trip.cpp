#include "ropewalk/law/kernel/round_trip.hpp"

#include "ropewalk/law/kernel/composition.hpp"
#include "ropewalk/law/law.hpp"

namespace ropewalk {

/// |backward(forward(x)) - a^2 x| against composition_bound.
template <floating_format Float>
measurement measure_round_trip(const checked_rotation& kernel, const law_case& test_case) {
  law_case second =
      detail::next_rotation(test_case, kernel.turned(test_case), test_case.flags ^ ROPEWALK_BACKWARD);
  if (kernel.served().lacks(ROPEWALK_NO_BACKWARD)) {
    second.flags = test_case.flags;
    for (double& position : second.positions) position = -position;
  }
  return detail::judge_two_rotations<Float>(kernel, test_case, detail::rotate_again(kernel, second),
                                            is_unit(test_case),
                                            [](const place& where) { return -where.position; });
}

measurement rotation_laws::judge_round_trip(const checked_rotation& kernel, const law_case& test_case) {
  return with_format(test_case.dtype,
                     [&]<class Float>() { return measure_round_trip<Float>(kernel, test_case); });
}

}  // namespace ropewalk
