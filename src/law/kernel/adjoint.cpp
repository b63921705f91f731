#include "ropewalk/law/kernel/adjoint.hpp"

#include "ropewalk/law/kernel/relative_position.hpp"
#include "ropewalk/law/law.hpp"

namespace ropewalk {

/// <forward(query), key> - <query, backward(key)> of every head, summed exactly, against adjoint_bound.
///
/// domain  a case with as many key heads as query heads
template <floating_format Float>
measurement measure_adjoint(const checked_rotation& kernel, const law_case& test_case) {
  law_case transposed = test_case;
  transposed.flags ^= ROPEWALK_BACKWARD;
  const rotated forward = kernel.turned(test_case), backward = kernel.turned(transposed);
  const bool unit = is_unit(test_case);
  const enclosure<2> a = kernel.attention<2>(unit);
  measurement measured;
  for_each_head(test_case, [&](const place& at) {
    if (at.tensor == operand::key) return;
    place other = at;
    other.tensor = operand::key;
    const auto x = input_pairs<Float>(kernel, test_case, at),
               y = input_pairs<Float>(kernel, test_case, other);
    if (!is_judged_head<Float>(x, a) || !is_judged_head<Float>(y, a)) return;
    const auto turned_x = output_pairs<Float>(kernel, test_case, forward, at);
    const auto turned_y = output_pairs<Float>(kernel, test_case, backward, other);
    if (!is_finite<Float>(turned_x) || !is_finite<Float>(turned_y))
      return record(measured, judge_equal(false), at, [&] {
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
        adjoint_bound(kernel.accuracy_at<Float>(farthest_position_of(test_case, at.row, at.token), unit));
    const verdict verdict = judge(bound.relative, [&]<int N>() -> error_and_bound<N> {
      const enclosure<N> nx = x_norm.template value<N>(), ny = y_norm.template value<N>();
      return {
          difference.template value<N>(),
          allowed_score_error(bound, kernel.pairs(), kernel.attention<N>(unit) * nx * ny, nx + ny, false)};
    });
    record(measured, unless_trivial(verdict, trivial_difference_bound), at,
           [&] { return detail::score_evidence(right.template value<2>(), left.template value<2>()); });
  });
  return measured;
}

measurement rotation_laws::judge_adjoint(const checked_rotation& kernel, const law_case& test_case) {
  return with_format(test_case.dtype,
                     [&]<class Float>() { return measure_adjoint<Float>(kernel, test_case); });
}

}  // namespace ropewalk
