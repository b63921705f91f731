#pragma once
// Rotary position embedding on several axes in numbers of any precision, built as inference engines build it:
// from rows of angles that are split, overwritten with a stride, or concatenated.

#include <cstddef>
#include <cstdint>
#include <vector>

#include "ropewalk/config/rope_axes.hpp"
#include "ropewalk/reference/rope.hpp"

namespace ropewalk::reference {

namespace detail {

/// A column of an engine's table: frequency number `frequency` of a rope of `rotary_dim` channels, at the
/// position on `axis`.
struct axis_column {
  int axis = 0;
  int frequency = 0;
  int rotary_dim = 0;
};

inline std::vector<axis_column> axis_columns(const rope_axes& axes, const rope& config) {
  std::vector<axis_column> columns;
  const int dim = config.rotary_dim;
  if (axes.rule == axis_rule::pixtral) {  // freqs[::2] for rows, then freqs[1::2] for columns
    for (int first = 0; first < 2; ++first)
      for (int i = first; i < dim / 2; i += 2) columns.push_back({first, i, dim});
    return columns;
  }
  if (axes.rule == axis_rule::qwen_vision) {  // a rope of half the channels, once for rows, once for columns
    for (int axis = 0; axis < 2; ++axis)
      for (int i = 0; i < dim / 4; ++i) columns.push_back({axis, i, dim / 2});
    return columns;
  }
  for (int i = 0; i < dim / 2; ++i) columns.push_back({0, i, dim});
  if (axes.rule == axis_rule::mrope) {  // split into sections, the i-th from position row i
    std::size_t begin = 0;
    for (int axis = 0; axis < 3; ++axis) {
      const auto end = begin + static_cast<std::size_t>(axes.mrope_section[static_cast<std::size_t>(axis)]);
      for (; begin < end; ++begin) columns[begin].axis = axis;
    }
  }
  if (axes.rule == axis_rule::mrope_interleaved)  // slice(axis, 3 * section, 3) taken from row `axis`
    for (const int axis : {1, 2}) {
      const auto stop = 3 * static_cast<std::size_t>(axes.mrope_section[static_cast<std::size_t>(axis)]);
      for (auto i = static_cast<std::size_t>(axis); i < stop && i < columns.size(); i += 3)
        columns[i].axis = axis;
    }
  return columns;
}

/// The rope of a pair's column, and the position at which it turns.
template <class Position>
struct turned_column {
  Position position;
  int frequency;
  rope config;
};

template <class Position>
turned_column<Position> column_of(const std::vector<Position>& positions, int pair, const rope_axes& axes,
                                  const rope& config) {
  validate(axes, config);
  require_pair(pair, config);
  require(static_cast<int>(positions.size()) == axis_count(axes), "the number of positions",
          static_cast<double>(positions.size()), "one for each axis");
  const axis_column column = axis_columns(axes, config)[static_cast<std::size_t>(pair)];
  rope of_column = config;
  of_column.rotary_dim = column.rotary_dim;
  return {positions[static_cast<std::size_t>(column.axis)], column.frequency, of_column};
}

}  // namespace detail

/// Cosine and sine of the angle of one pair, attention factor included.
///
/// shape   scalars
/// domain  any finite positions, one for each axis; 0 <= pair < rotary_dim / 2
/// error   as rope_cos
/// throws  std::invalid_argument naming the field and its value
template <real_number Number>
cos_sin<Number> rope_axes_cos_sin(const std::vector<double>& positions, int pair, const rope_axes& axes,
                                  const rope& config) {
  const auto [position, frequency, of_column] = detail::column_of(positions, pair, axes, config);
  return {rope_cos<Number>(position, frequency, of_column), rope_sin<Number>(position, frequency, of_column)};
}

}  // namespace ropewalk::reference
