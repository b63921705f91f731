#include "ropewalk/law/table/axes/text.hpp"

#include <cstddef>
#include <cstdint>
#include <vector>

#include "ropewalk/encoding/rope.hpp"
#include "ropewalk/law/law.hpp"
#include "ropewalk/law/table/axes/axes.hpp"
#include "ropewalk/law/table/rounded_pairs.hpp"

namespace ropewalk {

namespace detail::rope_axes_laws {

/// With one position on every axis, each pair must be the exact one of a rotary embedding on one axis, at the
/// pair's frequency, rounded once.
template <floating_format Float>
measurement measure_text(const rope_axes_source& source, const listed_positions& given, const rope_axes& axes,
                         const rope& config) {
  validate(axes, config);
  measurement m;
  for (const std::int64_t position : given.positions) {
    const std::vector<std::int32_t> positions(static_cast<std::size_t>(axis_count(axes)),
                                              static_cast<std::int32_t>(position));
    const auto row = checked_row(source, positions, axes, config);
    record_pairs(m, pair_count(config), positions[0], [&](int pair) {
      const int frequency = axis_of(pair, axes, config).frequency;
      return same_entry<Float>(
          row[static_cast<std::size_t>(pair)], rounded_once_of<Float>(position, [&]<int N>() {
            return rotation_matrix<N>(config, static_cast<double>(position)).block(frequency);
          }));
    });
  }
  return m;
}

}  // namespace detail::rope_axes_laws

measurement axes_laws::judge_text(const held_axes_rows& of, const listed_positions& given) {
  return with_format(of.dtype, [&]<class Float>() {
    return detail::rope_axes_laws::measure_text<Float>(of.rows, given, of.axes, of.config);
  });
}

}  // namespace ropewalk
