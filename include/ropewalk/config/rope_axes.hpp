#pragma once
// Rotary position embedding on more than one axis: each channel pair is rotated by the position on one axis.
// The axes are time, height and width of a video in M-RoPE (Wang et al. 2024, arXiv:2409.12191), and rows and
// columns of an image in Pixtral and in Qwen2-VL's encoder.

#include <array>

#include "ropewalk/config/require.hpp"
#include "ropewalk/config/rope.hpp"

namespace ropewalk {

/// Assignment of channel pairs to axes.
///
/// text: one axis for all pairs. mrope: consecutive runs of pairs for time, height and width (Qwen2-VL).
/// mrope_interleaved: pairs 1, 4, 7, ... for height, 2, 5, 8, ... for width, as many as mrope_section has,
/// and the others for time (Qwen3-VL). pixtral: the first half of the pairs for image rows, with frequencies
/// 0, 2, 4, ...; the second half for columns, with frequencies 1, 3, 5, ... qwen_vision: the same halves,
/// both with frequencies 0, 2, 4, ...
enum class axis_rule { text, mrope, mrope_interleaved, pixtral, qwen_vision };

/// The rule's name, its words joined by hyphens; empty for a value outside the enumeration.
constexpr const char* name_of(axis_rule rule) {
  switch (rule) {
    case axis_rule::text: return "text";
    case axis_rule::mrope: return "mrope";
    case axis_rule::mrope_interleaved: return "mrope-interleaved";
    case axis_rule::pixtral: return "pixtral";
    case axis_rule::qwen_vision: return "qwen-vision";
  }
  return "";
}

/// Rule that assigns the pairs of a head to axes. Structural: a template argument.
struct rope_axes {
  axis_rule rule = axis_rule::text;
  std::array<int, 3> mrope_section{};  // pairs of time, height and width; used by the two M-RoPE rules only
};

/// Whether the rule is one of the two that use mrope_section.
constexpr bool is_mrope(const rope_axes& axes) {
  return axes.rule == axis_rule::mrope || axes.rule == axis_rule::mrope_interleaved;
}

/// Number of axes, each with its own row of positions: 3 for M-RoPE, 2 for images, 1 for text.
constexpr int axis_count(const rope_axes& axes) {
  if (axes.rule == axis_rule::text) return 1;
  return is_mrope(axes) ? 3 : 2;
}

namespace detail {

constexpr void validate_sections(const rope_axes& axes, int pairs) {
  int sum = 0;
  for (const int section : axes.mrope_section) {
    require(section >= 0 && section <= pairs, "mrope_section", section, "a number from 0 to rotary_dim / 2");
    sum += section;
  }
  require(sum == pairs, "mrope_section's sum", sum, "rotary_dim / 2");
  if (axes.rule != axis_rule::mrope_interleaved) return;
  require(3 * axes.mrope_section[1] <= pairs + 1, "mrope_section of height", axes.mrope_section[1],
          "as many as there are pairs 1, 4, 7, ...");
  require(3 * axes.mrope_section[2] <= pairs, "mrope_section of width", axes.mrope_section[2],
          "as many as there are pairs 2, 5, 8, ...");
}

}  // namespace detail

/// throws  std::invalid_argument naming the field, its value and what is allowed
constexpr void validate(const rope_axes& axes, const rope& config) {
  validate(config);
  if (is_mrope(axes)) return detail::validate_sections(axes, pair_count(config));
  if (axes.rule == axis_rule::text) return;
  require(axes.rule == axis_rule::pixtral || axes.rule == axis_rule::qwen_vision, "rule",
          static_cast<int>(axes.rule), "one of axis_rule");
  require(config.rotary_dim % 4 == 0, "rotary_dim", config.rotary_dim,
          "a multiple of 4: rows and columns have half of the pairs each");
  require(config.scaling.is<unscaled>(), "scaling", config.scaling.index,
          "none: no image encoder has a scaling rule");
}

}  // namespace ropewalk
