#include "ropewalk/law/kernel/adjoint.hpp"

#include "ropewalk/law/kernel/relative_position.hpp"
#include "ropewalk/law/law.hpp"

namespace ropewalk {

/// <forward(query), key> - <query, backward(key)> of every head, summed exactly, against adjoint_bound.
///
/// domain  a case with as many key heads as query heads
template <floating_format Float>
measurement measure_adjoint(const checked_rotation& kernel, const law_case& given) {
  law_case transposed = given;
  transposed.flags ^= ROPEWALK_BACKWARD;
  const rotated forward = kernel.turned(given), backward = kernel.turned(transposed);
  const bool unit = is_unit(given);
  const enclosure<2> a = kernel.attention<2>(unit);
  measurement m;
  for_each_head(given, [&](const place& at) {
    if (at.tensor == operand::key) return;
    place other = at;
    other.tensor = operand::key;
    const auto x = input_pairs<Float>(kernel, given, at), y = input_pairs<Float>(kernel, given, other);
    if (!is_judged_head<Float>(x, a) || !is_judged_head<Float>(y, a)) return;
    const auto turned_x = output_pairs<Float>(kernel, given, forward, at);
    const auto turned_y = output_pairs<Float>(kernel, given, backward, other);
    if (!is_finite<Float>(turned_x) || !is_finite<Float>(turned_y))
      return record(m, judge_equal(false), at, [&] {
        return evidence{
            ROPEWALK_F64, 1, {}, {shown_dot<Float>(x, turned_y)}, {shown_dot<Float>(turned_x, y)}};
      });
    exact_sum<Float> left, right, difference;
    add_dot(left, turned_x, y);
    add_dot(right, x, turned_y);
    add_dot(difference, turned_x, y);
    subtract_dot(difference, x, turned_y);
    const head_norm<Float> x_norm(x), y_norm(y);
    const pair_bound bound =
        adjoint_bound(kernel.accuracy_at<Float>(farthest_position_of(given, at.row, at.token), unit));
    const verdict found = judge(bound.relative, [&]<int N>() -> error_and_bound<N> {
      const enclosure<N> nx = x_norm.template value<N>(), ny = y_norm.template value<N>();
      return {
          difference.template value<N>(),
          allowed_score_error(bound, kernel.pairs(), kernel.attention<N>(unit) * nx * ny, nx + ny, false)};
    });
    record(m, unless_trivial(found, trivial_difference_bound), at,
           [&] { return detail::score_evidence(right.template value<2>(), left.template value<2>()); });
  });
  return m;
}

measurement rotation_laws::judge_adjoint(const checked_rotation& kernel, const law_case& given) {
  return with_format(given.dtype, [&]<class Float>() { return measure_adjoint<Float>(kernel, given); });
}

}  // namespace ropewalk
