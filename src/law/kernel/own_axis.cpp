#include "ropewalk/law/kernel/own_axis.hpp"

#include <algorithm>
#include <cstddef>

#include "ropewalk/law/kernel/agreement.hpp"

namespace ropewalk {

namespace {

/// The case with every axis at the positions of one.
law_case at_positions_of(law_case test_case, int axis) {
  const std::size_t row = test_case.positions.size() / static_cast<std::size_t>(test_case.axes);
  const std::vector<double> own(test_case.positions.begin() + static_cast<std::ptrdiff_t>(axis * row),
                                test_case.positions.begin() + static_cast<std::ptrdiff_t>((axis + 1) * row));
  for (std::size_t i = 0; i < test_case.positions.size(); ++i) test_case.positions[i] = own[i % row];
  return test_case;
}

}  // namespace

/// The pairs of each axis against the case with all axes at its positions: equal bits, or agreement_bound.
template <floating_format Float>
measurement measure_own_axis(const checked_rotation& kernel, const law_case& test_case) {
  const rotated whole = kernel.turned(test_case);
  measurement measured;
  for (int axis = 0; axis < test_case.axes; ++axis) {
    const rotated alone = kernel.turned(at_positions_of(test_case, axis));
    for_each_pair(test_case, kernel.pairs(), [&](const place& where) {
      if (axis_of(test_case, where.pair) != axis) return;
      const std::size_t start = head_start(test_case, where);
      const channel_pair out = kernel.channels_out(where.pair);
      judge_agreement<Float>(
          measured, kernel, where, is_unit(test_case),
          pair_at<Float>(elements_of(test_case, where.tensor), start, kernel.channels_in(where.pair)),
          pair_at<Float>(elements_of(alone, where.tensor), start, out),
          pair_at<Float>(elements_of(whole, where.tensor), start, out));
    });
  }
  return measured;
}

measurement rotation_laws::judge_own_axis(const checked_rotation& kernel, const law_case& test_case) {
  return with_format(test_case.dtype,
                     [&]<class Float>() { return measure_own_axis<Float>(kernel, test_case); });
}

}  // namespace ropewalk
