#pragma once
// Rotary position embedding by coordinates on several axes: each channel pair is rotated by the coordinate on
// one axis. The axes are time, height and width of a video, rows and columns of an image, or one axis of real
// numbers. M-RoPE: Wang et al. 2024 (arXiv:2409.12191).

#include <array>
#include <cstddef>
#include <string_view>

#include "ropewalk/config/frequencies.hpp"
#include "ropewalk/config/require.hpp"
#include "ropewalk/config/rope.hpp"

namespace ropewalk {

inline constexpr int largest_axis_count = 4;

/// Order in which axes take pairs. Pairs that stand still come first and are not counted.
///
/// runs: the pairs of axis 0, then those of axis 1, ... (Qwen2-VL, Wan). round_robin: pair i on axis i mod
/// count (LTX-Video). modulo: pair i on axis i mod 3, while that axis has pairs left, and the other pairs on
/// the axis `rest` (Qwen3-VL). alternating: all axes except `rest` in turn, then the pairs of `rest` (ERNIE
/// 4.5-VL).
enum class axis_order { runs, round_robin, modulo, alternating };

/// Frequency of a pair. shared: pair i has frequency i of the embedding (M-RoPE). own: pair k of its axis has
/// frequency k of that axis (Wan). even_odd: pair k of axis A has frequency count k + A of the embedding
/// (Pixtral).
enum class axis_frequencies { shared, own, even_odd };

/// One axis. Structural: part of a table's template argument.
struct rotary_axis {
  int pairs = 0;           // 0: all, for a single axis
  frequencies turn{};      // own ones; by default base^(-k / pairs), with the embedding's base
  rope_scaling scaling{};  // rule for its own frequencies
};

/// Assignment of the pairs of a head to axes; by default one axis for all pairs, as in text. Structural: a
/// template argument. `rope` has the embedding's base, its number of channels and its scaling rule.
struct rope_axes {
  int count = 1;
  std::array<rotary_axis, largest_axis_count> axis{};
  axis_order order = axis_order::runs;
  axis_frequencies frequencies_of = axis_frequencies::shared;
  int rest = 0;         // modulo and alternating: the axis of the remaining pairs
  int still_pairs = 0;  // leading pairs, with frequency 0
};

/// "runs", "round-robin", "modulo" or "alternating": the name in JSON; empty outside the enumeration.
constexpr const char* name_of(axis_order order) {
  switch (order) {
    case axis_order::runs: return "runs";
    case axis_order::round_robin: return "round-robin";
    case axis_order::modulo: return "modulo";
    case axis_order::alternating: return "alternating";
  }
  return "";
}

/// "shared", "own" or "even-odd"; empty outside the enumeration.
constexpr const char* name_of(axis_frequencies frequencies) {
  switch (frequencies) {
    case axis_frequencies::shared: return "shared";
    case axis_frequencies::own: return "own";
    case axis_frequencies::even_odd: return "even-odd";
  }
  return "";
}

/// Number of axes, each with its own row of positions.
constexpr int axis_count(const rope_axes& axes) { return axes.count; }

/// Whether one position rotates all pairs, with the embedding's frequencies.
constexpr bool is_text(const rope_axes& axes) {
  return axes.count == 1 && axes.frequencies_of == axis_frequencies::shared && axes.still_pairs == 0;
}

/// Whether each pair keeps its frequency in text, so that text tokens rotate as on one axis.
constexpr bool keeps_frequencies(const rope_axes& axes) {
  return axes.frequencies_of == axis_frequencies::shared && axes.still_pairs == 0;
}

/// Number of pairs on an axis.
///
/// domain  0 <= axis < count
constexpr int pairs_of_axis(int axis, const rope_axes& axes, const rope& config) {
  const int pairs = axes.axis[static_cast<std::size_t>(axis)].pairs;
  return axes.count == 1 && pairs == 0 ? pair_count(config) - axes.still_pairs : pairs;
}

namespace detail {

constexpr void validate_counts(const rope_axes& axes, const rope& config) {
  require(axes.count >= 1 && axes.count <= largest_axis_count, "the number of axes", axes.count,
          "a number from 1 to 4");
  require(axes.still_pairs >= 0 && axes.still_pairs < pair_count(config), "still_pairs", axes.still_pairs,
          "a number from 0 to rotary_dim / 2 - 1");
  int sum = 0;
  for (int axis = 0; axis < axes.count; ++axis) {
    const int pairs = pairs_of_axis(axis, axes, config);
    require(pairs >= 0 && pairs <= pair_count(config), "an axis's pairs", pairs,
            "a number from 0 to rotary_dim / 2");
    sum += pairs;
  }
  require(sum + axes.still_pairs == pair_count(config), "the sum of all axes' pairs", sum,
          "rotary_dim / 2, without still_pairs");
}

constexpr void validate_round_robin(const rope_axes& axes) {
  for (int axis = 1; axis < axes.count; ++axis)
    require(axes.axis[static_cast<std::size_t>(axis)].pairs == axes.axis[0].pairs, "an axis's pairs",
            axes.axis[static_cast<std::size_t>(axis)].pairs,
            "as many as axis 0 has, in the order round_robin");
}

constexpr void validate_modulo(const rope_axes& axes, const rope& config) {
  require(axes.count >= 3, "the number of axes", axes.count, "3 or 4 in the order modulo");
  const int turned = pair_count(config) - axes.still_pairs;
  for (int axis = 0; axis < axes.count; ++axis) {
    const int pairs = axes.axis[static_cast<std::size_t>(axis)].pairs;
    if (axis == axes.rest) continue;
    require(axis < 3 || pairs == 0, "pairs of axis 3", pairs, "0 in the order modulo, unless it is the rest");
    require(axis >= 3 || 3 * pairs + axis <= turned + 2, "an axis's pairs", pairs,
            "as many as there are pairs i with i mod 3 equal to the axis");
  }
}

constexpr void validate_alternating(const rope_axes& axes) {
  int first = -1;
  for (int axis = 0; axis < axes.count; ++axis) {
    const int pairs = axes.axis[static_cast<std::size_t>(axis)].pairs;
    if (axis == axes.rest) continue;
    if (first < 0) first = pairs;
    require(pairs == first, "an axis's pairs", pairs, "as many as the other axes that alternate have");
  }
}

constexpr void validate_order(const rope_axes& axes, const rope& config) {
  require(axes.order == axis_order::runs || axes.order == axis_order::round_robin ||
              axes.order == axis_order::modulo || axes.order == axis_order::alternating,
          "order", static_cast<double>(axes.order), "runs, round_robin, modulo or alternating");
  const bool has_rest = axes.order == axis_order::modulo || axes.order == axis_order::alternating;
  require(axes.rest >= 0 && axes.rest < axes.count && (has_rest || axes.rest == 0), "rest", axes.rest,
          "an axis in the orders modulo and alternating, else 0");
  if (axes.order == axis_order::round_robin) validate_round_robin(axes);
  if (axes.order == axis_order::modulo) validate_modulo(axes, config);
  if (axes.order == axis_order::alternating) validate_alternating(axes);
}

constexpr void validate_own(const rotary_axis& axis, int pairs) {
  if (pairs == 0) return;
  validate(axis.turn, pairs);
  validate(axis.scaling, pairs);
  require_word(axis.turn.rule == spacing::of_base || axis.scaling.is<unscaled>(), "scaling",
               name_of(axis.scaling), "none, unless an axis has frequencies of the base");
}

constexpr void validate_frequencies(const rope_axes& axes, const rope& config) {
  require(axes.frequencies_of == axis_frequencies::shared || axes.frequencies_of == axis_frequencies::own ||
              axes.frequencies_of == axis_frequencies::even_odd,
          "frequencies_of", static_cast<double>(axes.frequencies_of), "shared, own or even_odd");
  const bool are_own = axes.frequencies_of == axis_frequencies::own;
  for (int axis = 0; axis < axes.count; ++axis) {
    const rotary_axis& rotary = axes.axis[static_cast<std::size_t>(axis)];
    const int pairs = pairs_of_axis(axis, axes, config);
    if (are_own) {
      validate_own(rotary, pairs);
      continue;
    }
    require_word(rotary.turn.rule == spacing::of_base, "an axis's spacing", name_of(rotary.turn.rule),
                 "of_base, unless frequencies are own");
    require_word(rotary.scaling.is<unscaled>(), "an axis's scaling", name_of(rotary.scaling),
                 "none, unless frequencies are own");
    require(axes.frequencies_of != axis_frequencies::even_odd || pairs == axes.axis[0].pairs,
            "an axis's pairs", pairs, "as many as axis 0 has, where frequencies are even_odd");
  }
  require_word(axes.frequencies_of == axis_frequencies::shared || config.scaling.is<unscaled>(), "scaling",
               name_of(config.scaling),
               "none, where frequencies are not shared: each axis may have a rule of its own");
  require(axes.frequencies_of != axis_frequencies::even_odd || axes.still_pairs == 0, "still_pairs",
          axes.still_pairs, "0 where frequencies are even_odd");
}

}  // namespace detail

/// throws  std::invalid_argument naming the field, its value and what is allowed
constexpr void validate(const rope_axes& axes, const rope& config) {
  validate(config);
  detail::validate_counts(axes, config);
  detail::validate_order(axes, config);
  detail::validate_frequencies(axes, config);
}

/// Axes with these numbers of consecutive pairs. Each axis has its own frequencies, of the embedding's base.
template <class... Pairs>
constexpr rope_axes own_axes(Pairs... pairs) {
  return {.count = static_cast<int>(sizeof...(pairs)),
          .axis = {rotary_axis{.pairs = pairs}...},
          .frequencies_of = axis_frequencies::own};
}

/// M-RoPE: consecutive runs of pairs for time, height and width.
///
/// source  `mrope_section` of Qwen2-VL in Hugging Face transformers
constexpr rope_axes mrope(int time, int height, int width) {
  return {.count = 3, .axis = {rotary_axis{time}, rotary_axis{height}, rotary_axis{width}}};
}

/// Interleaved M-RoPE: pairs 1, 4, 7, ... for height, 2, 5, 8, ... for width, and the others for time.
///
/// source  `apply_interleaved_mrope` of Qwen3-VL in Hugging Face transformers
constexpr rope_axes mrope_interleaved(int time, int height, int width) {
  rope_axes axes = mrope(time, height, width);
  axes.order = axis_order::modulo;
  return axes;
}

/// Rows and columns of an image: rows take frequencies 0, 2, 4, ... of the embedding, columns 1, 3, 5, ...
///
/// source  `PixtralRotaryEmbedding` in Hugging Face transformers
constexpr rope_axes pixtral(int pairs) {
  return {.count = 2,
          .axis = {rotary_axis{pairs / 2}, rotary_axis{pairs - pairs / 2}},
          .frequencies_of = axis_frequencies::even_odd};
}

/// Rows and columns of an image, both with the frequencies of an embedding of half the channels.
///
/// source  `VisionRotaryEmbedding` of Qwen2-VL in Hugging Face transformers
constexpr rope_axes qwen_vision(int pairs) { return own_axes(pairs / 2, pairs - pairs / 2); }

/// Numbers of pairs for time, height and width.
constexpr std::array<int, 3> sections_of(const rope_axes& axes) {
  return {axes.axis[0].pairs, axes.axis[1].pairs, axes.axis[2].pairs};
}

/// Whether the axes are those of M-RoPE, in runs or interleaved.
constexpr bool is_mrope(const rope_axes& axes) {
  return axes.count == 3 && keeps_frequencies(axes) && axes.rest == 0 &&
         (axes.order == axis_order::runs || axes.order == axis_order::modulo);
}

/// Whether the axes are those of interleaved M-RoPE.
constexpr bool is_mrope_interleaved(const rope_axes& axes) {
  return is_mrope(axes) && axes.order == axis_order::modulo;
}

/// Whether the axes are those of `pixtral`.
constexpr bool is_pixtral(const rope_axes& axes) {
  return axes.count == 2 && axes.frequencies_of == axis_frequencies::even_odd &&
         axes.order == axis_order::runs;
}

/// Whether the axes are those of `qwen_vision`.
constexpr bool is_qwen_vision(const rope_axes& axes) {
  const auto is_plain = [](const rotary_axis& axis) {
    return axis.turn.rule == spacing::of_base && axis.scaling.is<unscaled>();
  };
  return axes.count == 2 && axes.frequencies_of == axis_frequencies::own && axes.order == axis_order::runs &&
         axes.still_pairs == 0 && axes.axis[0].pairs == axes.axis[1].pairs && is_plain(axes.axis[0]) &&
         is_plain(axes.axis[1]);
}

/// "text", "mrope", "mrope-interleaved", "pixtral", "qwen-vision", or "axes" for every other assignment.
constexpr std::string_view name_of(const rope_axes& axes) {
  if (is_text(axes)) return "text";
  if (is_mrope(axes)) return is_mrope_interleaved(axes) ? "mrope-interleaved" : "mrope";
  if (is_pixtral(axes)) return "pixtral";
  return is_qwen_vision(axes) ? "qwen-vision" : "axes";
}

}  // namespace ropewalk
