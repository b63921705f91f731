#include "ropewalk/law/kernel/own_axis.hpp"

#include <algorithm>
#include <cstddef>

#include "ropewalk/law/kernel/agreement.hpp"

namespace ropewalk {

namespace {

/// The case with every axis at the positions of one.
law_case at_positions_of(law_case given, int axis) {
  const std::size_t row = given.positions.size() / static_cast<std::size_t>(given.axes);
  const std::vector<double> own(given.positions.begin() + static_cast<std::ptrdiff_t>(axis * row),
                                given.positions.begin() + static_cast<std::ptrdiff_t>((axis + 1) * row));
  for (std::size_t i = 0; i < given.positions.size(); ++i) given.positions[i] = own[i % row];
  return given;
}

}  // namespace

/// The pairs of each axis against the case with all axes at its positions: equal bits, or agreement_bound.
template <floating_format Float>
measurement measure_own_axis(const checked_rotation& kernel, const law_case& given) {
  const rotated whole = kernel.turned(given);
  measurement m;
  for (int axis = 0; axis < given.axes; ++axis) {
    const rotated alone = kernel.turned(at_positions_of(given, axis));
    for_each_pair(given, kernel.pairs(), [&](const place& where) {
      if (axis_of(given, where.pair) != axis) return;
      const std::size_t start = head_start(given, where);
      const channel_pair out = kernel.channels_out(where.pair);
      judge_agreement<Float>(
          m, kernel, where, is_unit(given),
          pair_at<Float>(elements_of(given, where.tensor), start, kernel.channels_in(where.pair)),
          pair_at<Float>(elements_of(alone, where.tensor), start, out),
          pair_at<Float>(elements_of(whole, where.tensor), start, out));
    });
  }
  return m;
}

measurement rotation_laws::judge_own_axis(const checked_rotation& kernel, const law_case& given) {
  return with_format(given.dtype, [&]<class Float>() { return measure_own_axis<Float>(kernel, given); });
}

}  // namespace ropewalk
