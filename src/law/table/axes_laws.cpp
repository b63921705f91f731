#include "ropewalk/law/table/axes_laws.hpp"

#include <cstddef>
#include <cstdint>
#include <vector>

#include "ropewalk/encoding/rope.hpp"
#include "ropewalk/law/law.hpp"
#include "ropewalk/law/table/rounded_pairs.hpp"

namespace ropewalk {

namespace detail::rope_axes_laws {

/// The block of a pair of a rotary embedding on one axis, at the pair's frequency.
template <int N>
pair_rotation<N> block_on_one_axis(int pair, double position, const rope_axes& axes, const rope& config) {
  const pair_axis pair_axis = axis_of(pair, axes, config);
  if (pair_axis.is_still() || axes.frequencies_of == axis_frequencies::own)
    return rope_axes_block<N>(pair, std::vector<double>(static_cast<std::size_t>(axes.count), position), axes,
                              config);
  return rotation_matrix<N>(config, position).block(pair_axis.frequency);
}

/// With one position on every axis, each pair must be the exact one of a rotary embedding on one axis, at the
/// pair's frequency, rounded once.
template <floating_format Float>
measurement measure_text(const rope_axes_source& source, const listed_positions& test_case,
                         const rope_axes& axes, const rope& config) {
  validate(axes, config);
  measurement measured;
  for (const std::int64_t position : test_case.positions) {
    const std::vector<std::int32_t> positions(static_cast<std::size_t>(axis_count(axes)),
                                              static_cast<std::int32_t>(position));
    const auto row = checked_row(source, positions, axes, config);
    record_pairs(measured, pair_count(config), positions[0], [&](int pair) {
      return same_entry<Float>(
          row[static_cast<std::size_t>(pair)], rounded_once_of<Float>(position, [&]<int N>() {
            return block_on_one_axis<N>(pair, static_cast<double>(position), axes, config);
          }));
    });
  }
  return measured;
}

/// Moves a token along one axis, from each position of the case to the next: every pair of another axis must
/// stay as it was.
template <floating_format Float>
measurement measure_own_axis(const rope_axes_source& source, const listed_positions& test_case,
                             const rope_axes& axes, const rope& config) {
  validate(axes, config);
  measurement measured;
  for (int moved = 0; moved < axis_count(axes); ++moved)
    for (std::size_t i = 0; i + 1 < test_case.positions.size(); ++i) {
      const auto here = static_cast<std::int32_t>(test_case.positions[i]),
                 there = static_cast<std::int32_t>(test_case.positions[i + 1]);
      std::vector<std::int32_t> positions(static_cast<std::size_t>(axis_count(axes)), here);
      const auto before = checked_row(source, positions, axes, config);
      positions[static_cast<std::size_t>(moved)] = there;
      const auto after = checked_row(source, positions, axes, config);
      record_pairs(measured, pair_count(config), there, [&](int pair) {
        const auto at = static_cast<std::size_t>(pair);
        return axis_of(pair, axes, config).axis == moved || same_entry<Float>(before[at], after[at]);
      });
    }
  return measured;
}

}  // namespace detail::rope_axes_laws

measurement axes_laws::judge_text(const checked_axes_rows& rows, const listed_positions& test_case) {
  return with_format(rows.dtype, [&]<class Float>() {
    return detail::rope_axes_laws::measure_text<Float>(rows.rows, test_case, rows.axes, rows.config);
  });
}

measurement axes_laws::judge_own_axis(const checked_axes_rows& rows, const listed_positions& test_case) {
  return with_format(rows.dtype, [&]<class Float>() {
    return detail::rope_axes_laws::measure_own_axis<Float>(rows.rows, test_case, rows.axes, rows.config);
  });
}

}  // namespace ropewalk
