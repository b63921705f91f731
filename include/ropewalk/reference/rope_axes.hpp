#pragma once
// Rotary position embedding on several axes in numbers of any precision, built as inference engines build it:
// from rows of angles that are split, overwritten with a stride, stacked or concatenated.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <vector>

#include "ropewalk/config/coordinate.hpp"
#include "ropewalk/config/rope_axes.hpp"
#include "ropewalk/reference/frequencies.hpp"
#include "ropewalk/reference/rope.hpp"

namespace ropewalk::reference {

namespace detail {

/// A column of an engine's table: frequency number `frequency` of a rope of `rotary_dim` channels, or of the
/// axis's own list of `pairs`, at the position on `axis`.
struct axis_column {
  int axis = 0;
  int frequency = 0;  // -1: the angle is 0
  rope embedding{};
  int pairs = 0;
};

/// The columns of one axis in the order of its frequencies.
inline std::deque<axis_column> columns_of_axis(int axis, const rope_axes& axes, const rope& config) {
  const rotary_axis& rotary = axes.axis[static_cast<std::size_t>(axis)];
  const bool is_alone = axes.count == 1 && rotary.pairs == 0;
  const int pairs = is_alone ? config.rotary_dim / 2 - axes.still_pairs : rotary.pairs;
  rope own = config;
  if (axes.frequencies_of == axis_frequencies::own) {
    own.rotary_dim = 2 * pairs;
    own.scaling = rotary.scaling;
  }
  std::deque<axis_column> columns;
  for (int i = 0; i < pairs; ++i) columns.push_back({axis, i, own, pairs});
  if (axes.frequencies_of == axis_frequencies::even_odd)  // freqs[::2] for rows, then freqs[1::2] for columns
    for (axis_column& column : columns) column.frequency = column.frequency * axes.count + axis;
  return columns;
}

/// One column from the front of each list in turn, until one is empty.
inline void zip(std::vector<std::deque<axis_column>*> lists, std::vector<axis_column>& to) {
  while (std::none_of(lists.begin(), lists.end(), [](const auto* list) { return list->empty(); }))
    for (std::deque<axis_column>* const list : lists) {
      to.push_back(list->front());
      list->pop_front();
    }
}

inline std::vector<axis_column> axis_columns(const rope_axes& axes, const rope& config) {
  std::vector<std::deque<axis_column>> of_axis;
  for (int axis = 0; axis < axes.count; ++axis) of_axis.push_back(columns_of_axis(axis, axes, config));
  auto& rest = of_axis[static_cast<std::size_t>(axes.rest)];
  std::vector<axis_column> columns;
  if (axes.order == axis_order::round_robin) {
    std::vector<std::deque<axis_column>*> all;
    for (auto& list : of_axis) all.push_back(&list);
    zip(all, columns);
  } else if (axes.order == axis_order::alternating) {
    std::vector<std::deque<axis_column>*> others;
    for (auto& list : of_axis)
      if (&list != &rest) others.push_back(&list);
    if (!others.empty()) zip(others, columns);
    columns.insert(columns.end(), rest.begin(), rest.end());
  } else if (axes.order == axis_order::modulo) {  // slice(axis, 3 * section, 3) is taken from row `axis`
    columns.resize(static_cast<std::size_t>(config.rotary_dim / 2 - axes.still_pairs));
    std::vector<bool> is_taken(columns.size());
    for (std::size_t axis = 0; axis < 3; ++axis)
      if (&of_axis[axis] != &rest)
        for (std::size_t i = axis; !of_axis[axis].empty(); i += 3) {
          columns[i] = of_axis[axis].front();
          is_taken[i] = true;
          of_axis[axis].pop_front();
        }
    for (std::size_t i = 0; i < columns.size(); ++i)
      if (!is_taken[i]) {
        columns[i] = rest.front();
        rest.pop_front();
      }
  } else {
    for (const auto& list : of_axis) columns.insert(columns.end(), list.begin(), list.end());
  }
  if (axes.frequencies_of == axis_frequencies::shared)
    for (std::size_t i = 0; i < columns.size(); ++i)
      columns[i].frequency = static_cast<int>(i), columns[i].embedding.rotary_dim = config.rotary_dim;
  columns.insert(columns.begin(), static_cast<std::size_t>(axes.still_pairs), {0, -1, config, 0});
  return columns;
}

template <real_number Number>
Number turns_of_column(const axis_column& column, const rope_axes& axes) {
  const frequencies& turn = axes.axis[static_cast<std::size_t>(column.axis)].turn;
  if (column.frequency < 0) return Number(0);
  if (axes.frequencies_of == axis_frequencies::own && turn.rule != spacing::of_base)
    return in_turns(frequency_of_pair<Number>(column.frequency, column.pairs, turn), turn.unit);
  return turns<Number>(column.frequency, column.embedding);
}

/// Guard bits of a coordinate's integer part and of a frequency above one turn a unit.
inline int axis_guard_bits(double position, const rope_axes& axes, const rope& config) {
  int bits = frequency_guard_bits + guard_bits(position, config);
  for (const rotary_axis& axis : axes.axis) {
    const frequencies& turn = axis.turn;
    bits = std::max(
        bits, frequency_guard_bits +
                  guard_bits(position, {.base = config.base, .rotary_dim = 2, .scaling = axis.scaling}));
    double largest =
        std::max(turn.first.numerator / turn.first.denominator, turn.last.numerator / turn.last.denominator);
    for (int k = 0; k < turn.list.count; ++k) largest = std::max(largest, turn.list[k]);
    if (turn.rule != spacing::of_base && largest > 1)
      bits =
          std::max(bits, frequency_guard_bits + guard_bits(position, config) + 2 * (std::ilogb(largest) + 2));
  }
  return bits;
}

template <class Position>
void require_positions(const std::vector<Position>& positions, int pair, const rope_axes& axes,
                       const rope& config) {
  validate(axes, config);
  require_pair(pair, config);
  require(static_cast<int>(positions.size()) == axis_count(axes), "the number of positions",
          static_cast<double>(positions.size()), "one for each axis");
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
                                  const rope& config, const axis_coordinates& coordinates = {}) {
  detail::require_positions(positions, pair, axes, config);
  const detail::axis_column column = detail::axis_columns(axes, config)[static_cast<std::size_t>(pair)];
  const auto axis = static_cast<std::size_t>(column.axis);
  const coordinate& source = coordinates[axis];
  validate(source);
  constexpr int coordinate_guard_bits = 64;  // of a sum of an index and a fraction, each below 2^31
  const int bits = detail::axis_guard_bits(positions[axis], axes, config) +
                   (source == coordinate{} ? 0 : coordinate_guard_bits);
  const auto part_of = [&](auto part) {
    return detail::with_guard_bits<Number>(bits, [&]<class Wide>() {
      const Wide offset = Wide(source.offset.numerator) / source.offset.denominator;
      const Wide scale = Wide(source.scale.numerator) / source.scale.denominator;
      const Wide at = (Wide(positions[axis]) + offset) * scale;
      return part(detail::rotation<Wide>(at, detail::turns_of_column<Wide>(column, axes),
                                         detail::attention_factor_of<Wide>(config)));
    });
  };
  return {part_of([](const auto& result) { return result.cos; }),
          part_of([](const auto& result) { return result.sin; })};
}

}  // namespace ropewalk::reference
