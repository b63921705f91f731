#pragma once
// Rotary position embedding by coordinates on several axes, as exact values: each pair is rotated by the
// coordinate on its own axis.

#include <array>
#include <cstddef>

#include "ropewalk/config/coordinate.hpp"
#include "ropewalk/config/rope_axes.hpp"
#include "ropewalk/encoding/frequencies.hpp"
#include "ropewalk/encoding/frequency_divisor.hpp"
#include "ropewalk/encoding/rope.hpp"

namespace ropewalk {

/// Axis whose coordinate rotates a pair, and index of the pair's frequency in the embedding or, if axes have
/// their own frequencies, on the axis.
struct pair_axis {
  int axis = 0;
  int frequency = 0;  // -1: the pair stands still
  friend constexpr bool operator==(const pair_axis&, const pair_axis&) = default;

  constexpr bool is_still() const { return frequency < 0; }
};

namespace detail {

/// Axis of a pair, and number of earlier pairs on the same axis.
struct place_on_axis {
  int axis = 0;
  int index = 0;
};

constexpr place_on_axis place_in_runs(int pair, const rope_axes& axes, const rope& config) {
  int axis = 0;
  for (int pairs = 0; axis + 1 < axes.count; ++axis, pair -= pairs)
    if (pairs = pairs_of_axis(axis, axes, config); pair < pairs) break;
  return {axis, pair};
}

constexpr place_on_axis place_by_modulo(int pair, const rope_axes& axes) {
  const auto end_of = [&](int axis) {
    return axis == axes.rest ? 0 : 3 * axes.axis[static_cast<std::size_t>(axis)].pairs;
  };
  if (pair < end_of(pair % 3)) return {pair % 3, pair / 3};
  int others = 0;  // earlier pairs that are not on the axis `rest`
  for (int axis = 0; axis < 3; ++axis) {
    const int end = pair < end_of(axis) ? pair : end_of(axis);
    others += (end + 2 - axis) / 3;
  }
  return {axes.rest, pair - others};
}

constexpr place_on_axis place_in_turn(int pair, const rope_axes& axes) {
  const int others = axes.count - 1, first = axes.rest == 0 ? 1 : 0;
  const int turned = others == 0 ? 0 : others * axes.axis[static_cast<std::size_t>(first)].pairs;
  if (pair >= turned) return {axes.rest, pair - turned};
  const int other = pair % others;  // counted without the axis `rest`
  return {other < axes.rest ? other : other + 1, pair / others};
}

constexpr place_on_axis place_of(int pair, const rope_axes& axes, const rope& config) {
  switch (axes.order) {
    case axis_order::round_robin: return {pair % axes.count, pair / axes.count};
    case axis_order::modulo: return place_by_modulo(pair, axes);
    case axis_order::alternating: return place_in_turn(pair, axes);
    case axis_order::runs: break;
  }
  return place_in_runs(pair, axes, config);
}

}  // namespace detail

/// Axis and frequency of one pair. Axes count from 0.
///
/// domain  0 <= pair < rotary_dim / 2
/// throws  std::invalid_argument naming the field and its value
/// source  the sources of `mrope`, `mrope_interleaved`, `pixtral` and `qwen_vision` (config/rope_axes.hpp)
///         and of the families in config/axes_families.hpp
constexpr pair_axis axis_of(int pair, const rope_axes& axes, const rope& config) {
  validate(axes, config);
  detail::validate_pair(pair, config);
  if (pair < axes.still_pairs) return {0, -1};
  const int turned = pair - axes.still_pairs;
  const detail::place_on_axis at = detail::place_of(turned, axes, config);
  switch (axes.frequencies_of) {
    case axis_frequencies::own: return {at.axis, at.index};
    case axis_frequencies::even_odd: return {at.axis, axes.count * at.index + at.axis};
    case axis_frequencies::shared: break;
  }
  return {at.axis, turned};
}

/// The embedding of an axis whose own frequencies come from the base.
constexpr rope rope_of_axis(int axis, const rope_axes& axes, const rope& config) {
  return {.base = config.base,
          .rotary_dim = 2 * pairs_of_axis(axis, axes, config),
          .scaling = axes.axis[static_cast<std::size_t>(axis)].scaling,
          .seq_len = config.seq_len};
}

/// Numbers that all pairs of an axis share.
template <int N>
struct axes_shared {
  std::array<rope_shared<N>, largest_axis_count> base{};  // only [0] if frequencies are the embedding's
  std::array<frequency_ratio<N>, largest_axis_count> ratio{};
};

/// throws  std::invalid_argument naming the field and its value
template <int N>
constexpr axes_shared<N> share(const rope_axes& axes, const rope& config) {
  validate(axes, config);
  axes_shared<N> result;
  if (axes.frequencies_of != axis_frequencies::own) {
    result.base[0] = share<N>(config);
    return result;
  }
  for (int axis = 0; axis < axes.count; ++axis) {
    const int pairs = pairs_of_axis(axis, axes, config);
    if (pairs == 0) continue;
    const auto at = static_cast<std::size_t>(axis);
    if (axes.axis[at].turn.rule == spacing::of_base)
      result.base[at] = share<N>(rope_of_axis(axis, axes, config));
    else
      result.ratio[at] = share<N>(axes.axis[at].turn, pairs);
  }
  return result;
}

namespace detail {

template <int N>
constexpr frequency_terms<N> terms_of_rope(int pair, const rope& config, const rope_shared<N>& shared) {
  const enclosure<N> divisor = rope_frequency_divisor<N>(pair, config, shared), bounds = enclosure<N>::of(1);
  if (is_unbounded(divisor)) return {rope_inv_freq<N>(pair, config, shared), bounds};
  return {bounds, base_power<N>(pair, config, shared) * divisor};
}

/// The unit of a pair's frequency.
constexpr angle_unit unit_of(const pair_axis& pair_axis, const rope_axes& axes) {
  if (axes.frequencies_of != axis_frequencies::own) return angle_unit::radian;
  return axes.axis[static_cast<std::size_t>(pair_axis.axis)].turn.unit;
}

template <int N>
constexpr frequency_terms<N> terms_of_pair(const pair_axis& pair_axis, const rope_axes& axes,
                                           const rope& config, const axes_shared<N>& shared) {
  const auto axis = static_cast<std::size_t>(pair_axis.axis);
  if (pair_axis.is_still()) return {enclosure<N>::of(0), enclosure<N>::of(1)};
  if (axes.frequencies_of != axis_frequencies::own)
    return terms_of_rope(pair_axis.frequency, config, shared.base[0]);
  const frequencies& turn = axes.axis[axis].turn;
  if (turn.rule == spacing::of_base)
    return terms_of_rope(pair_axis.frequency, rope_of_axis(pair_axis.axis, axes, config), shared.base[axis]);
  return terms_of_frequency(pair_axis.frequency, pairs_of_axis(pair_axis.axis, axes, config), turn,
                            shared.ratio[axis]);
}

/// The frequency of a pair in its own unit.
template <int N>
constexpr enclosure<N> frequency_of_pair(const pair_axis& pair_axis, const rope_axes& axes,
                                         const rope& config, const axes_shared<N>& shared) {
  const auto axis = static_cast<std::size_t>(pair_axis.axis);
  if (pair_axis.is_still()) return enclosure<N>::of(0);
  if (axes.frequencies_of != axis_frequencies::own)
    return rope_inv_freq<N>(pair_axis.frequency, config, shared.base[0]);
  if (axes.axis[axis].turn.rule == spacing::of_base)
    return rope_inv_freq<N>(pair_axis.frequency, rope_of_axis(pair_axis.axis, axes, config),
                            shared.base[axis]);
  const frequency_terms<N> terms = terms_of_pair(pair_axis, axes, config, shared);
  return terms.numerator / terms.denominator;
}

}  // namespace detail

/// Frequency of one pair along its axis.
///
/// units   turns per unit of the coordinate; exact where it is a dyadic part of a turn
/// domain, throws   as axis_of
/// error   carried by the enclosure; unbounded where N limbs do not decide a scaling rule's thresholds
template <int N>
constexpr enclosure<N> rope_axes_turns(int pair, const rope_axes& axes, const rope& config,
                                       const axes_shared<N>& shared) {
  const pair_axis pair_axis = axis_of(pair, axes, config);
  return turns_of(detail::frequency_of_pair(pair_axis, axes, config, shared),
                  detail::unit_of(pair_axis, axes));
}

/// For a single pair: also computes the numbers that all pairs share.
template <int N>
constexpr enclosure<N> rope_axes_turns(int pair, const rope_axes& axes, const rope& config) {
  return rope_axes_turns<N>(pair, axes, config, share<N>(axes, config));
}

/// Frequency of one pair in radians per unit of the coordinate.
template <int N>
constexpr enclosure<N> rope_axes_inv_freq(int pair, const rope_axes& axes, const rope& config,
                                          const axes_shared<N>& shared) {
  const pair_axis pair_axis = axis_of(pair, axes, config);
  const enclosure<N> frequency = detail::frequency_of_pair(pair_axis, axes, config, shared);
  if (detail::unit_of(pair_axis, axes) == angle_unit::radian) return frequency;
  return turns_of(frequency, detail::unit_of(pair_axis, axes)) * times_power_of_two(pi<N>(), 1);
}

/// For a single pair: also computes the numbers that all pairs share.
template <int N>
constexpr enclosure<N> rope_axes_inv_freq(int pair, const rope_axes& axes, const rope& config) {
  return rope_axes_inv_freq<N>(pair, axes, config, share<N>(axes, config));
}

/// Turns of a pair at a coordinate, which is a quotient. The frequency is divided last: an angle in parts of
/// a turn is then exact where it is a dyadic number, even if the frequency is not.
///
/// units   turns
template <int N>
constexpr enclosure<N> rope_axes_phase(int pair, const frequency_terms<N>& at, const rope_axes& axes,
                                       const rope& config) {
  const pair_axis pair_axis = axis_of(pair, axes, config);
  const angle_unit unit = detail::unit_of(pair_axis, axes);
  const axes_shared<N> shared = share<N>(axes, config);
  if (unit == angle_unit::radian)
    return turns_of(detail::frequency_of_pair(pair_axis, axes, config, shared), unit) * at.numerator /
           at.denominator;
  const frequency_terms<N> terms = detail::terms_of_pair(pair_axis, axes, config, shared);
  return turns_of(at.numerator * terms.numerator / (at.denominator * terms.denominator), unit);
}

/// Rotation block of one pair for a token at `positions`, one number per axis.
///
/// domain  any finite positions, as many as axis_count
/// throws  std::invalid_argument naming the field and its value
template <int N, class Positions>
constexpr pair_rotation<N> rope_axes_block(int pair, const Positions& positions, const rope_axes& axes,
                                           const rope& config, rotation_kind kind = rotation_kind::forward) {
  require(static_cast<int>(positions.size()) == axis_count(axes), "the number of positions",
          static_cast<double>(positions.size()), "one for each axis");
  const pair_axis pair_axis = axis_of(pair, axes, config);
  const auto position = static_cast<double>(positions[static_cast<std::size_t>(pair_axis.axis)]);
  require(position >= -largest_number && position <= largest_number, "position", position, "a finite number");
  const cos_sin<N> unit =
      cos_sin_of_turns(rope_axes_phase<N>(pair, {enclosure<N>::of(position)}, axes, config));
  return block_of(unit, is_unit(kind) ? enclosure<N>::of(1) : rope_attention_factor<N>(config), kind);
}

}  // namespace ropewalk
