#include "ropewalk/law/kernel/composition.hpp"

#include "ropewalk/law/kernel/accuracy.hpp"
#include "ropewalk/law/law.hpp"

namespace ropewalk {

/// |observed - a^2 R(position + shift) x| of the case turned again by its shift, against composition_bound.
template <floating_format Float>
measurement measure_composition(const checked_rotation& kernel, const law_case& given) {
  const law_case second = detail::shifted(detail::next_rotation(given, kernel.turned(given), given.flags));
  return detail::judge_two_rotations<Float>(
      kernel, given, detail::rotate_again(kernel, second), is_unit(given),
      [&](const place& where) { return detail::shift_at(given, where.pair); });
}

measurement rotation_laws::judge_composition(const checked_rotation& kernel, const law_case& given) {
  return with_format(given.dtype, [&]<class Float>() { return measure_composition<Float>(kernel, given); });
}

}  // namespace ropewalk
