#include "ropewalk/law/kernel/composition.hpp"

#include "ropewalk/law/kernel/accuracy.hpp"
#include "ropewalk/law/law.hpp"

namespace ropewalk {

/// |observed - a^2 R(position + shift) x| of the case rotated again by its shift, against composition_bound.
template <floating_format Float>
measurement measure_composition(const checked_rotation& kernel, const law_case& test_case) {
  const law_case second =
      detail::shifted(detail::next_rotation(test_case, kernel.turned(test_case), test_case.flags));
  return detail::judge_two_rotations<Float>(
      kernel, test_case, detail::rotate_again(kernel, second), is_unit(test_case),
      [&](const place& where) { return detail::shift_at(test_case, where.pair); });
}

measurement rotation_laws::judge_composition(const checked_rotation& kernel, const law_case& test_case) {
  return with_format(test_case.dtype,
                     [&]<class Float>() { return measure_composition<Float>(kernel, test_case); });
}

}  // namespace ropewalk
