#pragma once
// A rotary embedding with its axes and the coordinate of an index on each, as exact values. Tables and
// kernels are made from it.

#include <cstddef>
#include <cstdint>

#include "ropewalk/config/coordinate.hpp"
#include "ropewalk/config/given.hpp"
#include "ropewalk/encoding/rope_axes.hpp"

namespace ropewalk {

/// An embedding, the assignment of its pairs to axes, and the coordinate of an index on each axis.
struct placed_rope {
  rope encoding{};
  rope_axes axes{};
  axis_coordinates coordinates{};
};

/// throws  std::invalid_argument naming the field, its value and what is allowed
constexpr void validate(const placed_rope& config) {
  validate(config.axes, config.encoding);
  for (int axis = 0; axis < config.axes.count; ++axis)
    validate(config.coordinates[static_cast<std::size_t>(axis)]);
}

/// Whether a frequency changes with the length of the sequence.
constexpr bool depends_on_seq_len(const placed_rope& config) {
  bool depends = depends_on_seq_len(config.encoding.scaling);
  for (const rotary_axis& axis : config.axes.axis) depends = depends || depends_on_seq_len(axis.scaling);
  return depends;
}

/// Numbers that all pairs of an axis share.
template <int N>
constexpr axes_shared<N> share(const placed_rope& config) {
  validate(config);
  return share<N>(config.axes, config.encoding);
}

/// The position that a kernel takes for an index of an axis: the whole number index x parts + first, for the
/// coordinate scale (index + first / parts). Frequencies are then per unit of this position.
constexpr std::int64_t position_of_index(std::int64_t index, const coordinate& coordinate) {
  return index * coordinate.offset.denominator + coordinate.offset.numerator;
}

namespace detail {

template <int N>
constexpr enclosure<N> with_scale(const enclosure<N>& x, const coordinate& source) {
  if (source == coordinate{}) return x;
  return x * enclosure<N>::of(source.scale.numerator) /
         (enclosure<N>::of(source.scale.denominator) * enclosure<N>::of(source.offset.denominator));
}

constexpr const coordinate& coordinate_of(const pair_axis& pair_axis, const placed_rope& config) {
  return config.coordinates[static_cast<std::size_t>(pair_axis.axis)];
}

}  // namespace detail

/// Frequency of one pair.
///
/// units   turns per unit of position_of_index
/// domain, error, throws   as rope_axes_turns
template <int N>
constexpr enclosure<N> turns_of_index(int pair, const placed_rope& config, const axes_shared<N>& shared) {
  const pair_axis pair_axis = axis_of(pair, config.axes, config.encoding);
  return detail::with_scale(rope_axes_turns<N>(pair, config.axes, config.encoding, shared),
                            detail::coordinate_of(pair_axis, config));
}

/// Frequency of one pair in radians per unit of position_of_index.
template <int N>
constexpr enclosure<N> inv_freq_of_index(int pair, const placed_rope& config, const axes_shared<N>& shared) {
  const pair_axis pair_axis = axis_of(pair, config.axes, config.encoding);
  return detail::with_scale(rope_axes_inv_freq<N>(pair, config.axes, config.encoding, shared),
                            detail::coordinate_of(pair_axis, config));
}

/// Turns of a pair at a position: exact where they are a dyadic part of a turn.
template <int N>
constexpr enclosure<N> phase_of_index(int pair, const enclosure<N>& position, const placed_rope& config) {
  const pair_axis pair_axis = axis_of(pair, config.axes, config.encoding);
  const coordinate& at = detail::coordinate_of(pair_axis, config);
  const enclosure<N> numerator = position * enclosure<N>::of(at.scale.numerator);
  const enclosure<N> denominator =
      enclosure<N>::of(at.scale.denominator) * enclosure<N>::of(at.offset.denominator);
  return rope_axes_phase(pair, frequency_terms<N>{numerator, denominator}, config.axes, config.encoding);
}

/// The angle of a pair at a position in radians, as a quotient of numbers that are often exact. Nothing if
/// the frequency is in parts of a turn: the angle in radians is then irrational.
///
/// units   radians
template <int N>
constexpr given<frequency_terms<N>> angle_of_index(int pair, const enclosure<N>& position,
                                                   const placed_rope& config) {
  const pair_axis pair_axis = axis_of(pair, config.axes, config.encoding);
  if (detail::unit_of(pair_axis, config.axes) != angle_unit::radian) return {};
  const coordinate& at = detail::coordinate_of(pair_axis, config);
  const frequency_terms<N> terms =
      detail::terms_of_pair(pair_axis, config.axes, config.encoding, share<N>(config));
  return frequency_terms<N>{
      position * terms.numerator * enclosure<N>::of(at.scale.numerator),
      terms.denominator * enclosure<N>::of(at.scale.denominator) * enclosure<N>::of(at.offset.denominator)};
}

}  // namespace ropewalk
