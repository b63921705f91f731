#pragma once
// Text on several axes.

#include <cstddef>
#include <cstdint>
#include <vector>

#include "ropewalk/law/judge/compiled_law.hpp"
#include "ropewalk/law/law.hpp"
#include "ropewalk/law/table/axes/axes.hpp"
#include "ropewalk/table/rope_rows.hpp"

namespace ropewalk {

namespace detail::rope_axes_laws {

/// With one position on every axis each pair is that of a rope of one axis, at the pair's frequency.
template <floating_format Float>
measurement measure_text(const rope_axes_source& source, const rope_axes& axes, const rope& config) {
  validate(axes, config);
  const rope_rows rows(config);
  measurement m;
  for (const std::int32_t position : tried) {
    const std::vector<std::int32_t> positions(static_cast<std::size_t>(axis_count(axes)), position);
    const auto row = checked_row(source, positions, axes, config);
    record_pairs(m, pair_count(config), position, [&](int pair) {
      const auto wanted = rows.entry<Float>(axis_of(pair, axes, config).frequency, position, false);
      return same_entry<Float>(row[static_cast<std::size_t>(pair)], {wanted.cos, wanted.sin});
    });
  }
  return m;
}
ROPEWALK_COMPILED_LAW(measure_text, const rope_axes_source&, const rope_axes&, const rope&);

}  // namespace detail::rope_axes_laws

namespace axes_laws {

inline constexpr law<held_axes_rows> text{
    .name = "text",
    .statement = "where all positions are one, each pair turns as on one axis",
    .measure = [](const held_axes_rows& of, const whole_table&) {
      return with_format(of.dtype, [&]<class Float>() {
        return detail::rope_axes_laws::measure_text<Float>(of.rows, of.axes, of.config);
      });
    }};

}  // namespace axes_laws

}  // namespace ropewalk
