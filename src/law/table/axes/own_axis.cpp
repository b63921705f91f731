#include "ropewalk/law/table/axes/own_axis.hpp"

#include <cstddef>
#include <cstdint>
#include <vector>

#include "ropewalk/law/law.hpp"
#include "ropewalk/law/table/axes/axes.hpp"

namespace ropewalk {

namespace detail::rope_axes_laws {

/// Moves a token along one axis, from each position of the case to the next: every pair of another axis must
/// stay as it was.
template <floating_format Float>
measurement measure_own_axis(const rope_axes_source& source, const listed_positions& given,
                             const rope_axes& axes, const rope& config) {
  validate(axes, config);
  measurement m;
  for (int moved = 0; moved < axis_count(axes); ++moved)
    for (std::size_t i = 0; i + 1 < given.positions.size(); ++i) {
      const auto here = static_cast<std::int32_t>(given.positions[i]),
                 there = static_cast<std::int32_t>(given.positions[i + 1]);
      std::vector<std::int32_t> positions(static_cast<std::size_t>(axis_count(axes)), here);
      const auto before = checked_row(source, positions, axes, config);
      positions[static_cast<std::size_t>(moved)] = there;
      const auto after = checked_row(source, positions, axes, config);
      record_pairs(m, pair_count(config), there, [&](int pair) {
        const auto at = static_cast<std::size_t>(pair);
        return axis_of(pair, axes, config).axis == moved || same_entry<Float>(before[at], after[at]);
      });
    }
  return m;
}

}  // namespace detail::rope_axes_laws

measurement axes_laws::judge_own_axis(const checked_axes_rows& of, const listed_positions& given) {
  return with_format(of.dtype, [&]<class Float>() {
    return detail::rope_axes_laws::measure_own_axis<Float>(of.rows, given, of.axes, of.config);
  });
}

}  // namespace ropewalk
