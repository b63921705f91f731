#include "ropewalk/law/kernel/unit_rotation.hpp"

#include "ropewalk/law/kernel/composition.hpp"
#include "ropewalk/law/law.hpp"

namespace ropewalk {

/// |observed - a R(position + shift) x| of the case rotated by a R(position), then by R(shift), against
/// composition_bound.
template <floating_format Float>
measurement measure_unit_rotation(const checked_rotation& kernel, const law_case& test_case) {
  const law_case second = detail::shifted(
      detail::next_rotation(test_case, kernel.turned(test_case), test_case.flags | ROPEWALK_UNIT));
  return detail::judge_two_rotations<Float>(
      kernel, test_case, detail::rotate_again(kernel, second), true,
      [&](const place& where) { return detail::shift_at(test_case, where.pair); });
}

measurement rotation_laws::judge_unit_rotation(const checked_rotation& kernel, const law_case& test_case) {
  return with_format(test_case.dtype,
                     [&]<class Float>() { return measure_unit_rotation<Float>(kernel, test_case); });
}

}  // namespace ropewalk
