#pragma once
// What every table of a rotary embedding on more than one axis owes its definition, whoever made it: bits,
// for a correctly rounded table has no others.

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <string_view>
#include <vector>

#include "ropewalk/encoding/rope_axes.hpp"
#include "ropewalk/law/measurement.hpp"
#include "ropewalk/table/rope_rows.hpp"

namespace ropewalk {

/// Makes the row of a token from its positions, one an axis: rotary_dim / 2 cosines and sines.
template <floating_format Float>
using rope_axes_source = std::function<std::vector<cos_sin_bits<Float>>(
    const std::vector<std::int32_t>& positions, const rope_axes&, const rope&)>;

template <floating_format Float>
struct rope_axes_law {
  std::string_view name;
  std::string_view statement;
  measurement (*measure)(const rope_axes_source<Float>&, const rope_axes&, const rope&);
};

namespace detail::rope_axes_laws {

/// Positions at which rows are compared: the first, neighbours, farther ones and one behind.
inline constexpr std::int32_t tried[] = {0, 1, 2, 17, 1000, 131071, -5};

template <floating_format Float>
std::vector<cos_sin_bits<Float>> checked_row(const rope_axes_source<Float>& source,
                                             const std::vector<std::int32_t>& positions,
                                             const rope_axes& axes, const rope& config) {
  auto row = source(positions, axes, config);
  require(row.size() == static_cast<std::size_t>(pair_count(config)), "the row's size",
          static_cast<double>(row.size()), "rotary_dim / 2 pairs");
  return row;
}

/// Asks same(pair) of every pair.
template <class Same>
void record_pairs(measurement& m, int pairs, std::int32_t position, Same same) {
  for (int pair = 0; pair < pairs; ++pair) {
    place where;
    where.pair = pair;
    where.position = position;
    record(m, judge_equal(same(pair)), where, [] { return evidence{}; });
  }
}

/// With one position on every axis each pair is that of a rope of one axis, at the pair's frequency.
template <floating_format Float>
measurement measure_text(const rope_axes_source<Float>& source, const rope_axes& axes, const rope& config) {
  validate(axes, config);
  const rope_rows rows(config);
  measurement m;
  for (const std::int32_t position : tried) {
    const std::vector<std::int32_t> positions(static_cast<std::size_t>(axis_count(axes)), position);
    const auto row = checked_row<Float>(source, positions, axes, config);
    record_pairs(m, pair_count(config), position, [&](int pair) {
      const auto wanted = rows.entry<Float>(axis_of(pair, axes, config).frequency, position, false);
      const auto& got = row[static_cast<std::size_t>(pair)];
      return same_bits<Float>(got.cos, wanted.cos) && same_bits<Float>(got.sin, wanted.sin);
    });
  }
  return m;
}

/// Moving a token along one axis leaves every pair of the others as it was.
template <floating_format Float>
measurement measure_own_axis(const rope_axes_source<Float>& source, const rope_axes& axes,
                             const rope& config) {
  validate(axes, config);
  measurement m;
  for (int moved = 0; moved < axis_count(axes); ++moved)
    for (const std::int32_t position : tried) {
      std::vector<std::int32_t> positions(static_cast<std::size_t>(axis_count(axes)), 3);
      const auto before = checked_row<Float>(source, positions, axes, config);
      positions[static_cast<std::size_t>(moved)] = position;
      const auto after = checked_row<Float>(source, positions, axes, config);
      record_pairs(m, pair_count(config), position, [&](int pair) {
        const auto& a = before[static_cast<std::size_t>(pair)];
        const auto& b = after[static_cast<std::size_t>(pair)];
        return axis_of(pair, axes, config).axis == moved ||
               (same_bits<Float>(a.cos, b.cos) && same_bits<Float>(a.sin, b.sin));
      });
    }
  return m;
}

}  // namespace detail::rope_axes_laws

template <floating_format Float>
inline constexpr std::array rope_axes_laws{
    rope_axes_law<Float>{"text", "where all positions are one, each pair turns as on one axis",
                         detail::rope_axes_laws::measure_text<Float>},
    rope_axes_law<Float>{"own-axis", "a pair heeds the position on its own axis alone",
                         detail::rope_axes_laws::measure_own_axis<Float>},
};

}  // namespace ropewalk
