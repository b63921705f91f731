#pragma once
// Rotary position embedding on more than one axis: which position row turns which channel pair. Time, height
// and width of a video in M-RoPE (Wang et al. 2024, arXiv:2409.12191), rows and columns of an image in
// Pixtral and Qwen2-VL's encoder.

#include <array>

#include "ropewalk/config/require.hpp"
#include "ropewalk/config/rope.hpp"

namespace ropewalk {

/// text: one row for every pair. mrope: consecutive runs of pairs for time, height and width (Qwen2-VL).
/// mrope_interleaved: pairs 1, 4, 7, ... for height, 2, 5, 8, ... for width, the others for time (Qwen3-VL).
/// pixtral: the first half of the pairs for image rows, with frequencies 0, 2, 4, ...; the other half for
/// columns, with 1, 3, 5, ... qwen_vision: the same halves, both with frequencies 0, 2, 4, ...
enum class axis_rule { text, mrope, mrope_interleaved, pixtral, qwen_vision };

/// The rule's name, its words joined by hyphens; empty for a number that is no rule.
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

/// How the pairs of a head share position rows. Structural: a template argument.
struct rope_axes {
  axis_rule rule = axis_rule::text;
  std::array<int, 3> mrope_section{};  // pairs of time, height and width; of the two M-RoPE rules alone
};

/// Whether mrope_section divides the pairs, in consecutive runs or interleaved.
constexpr bool is_mrope(const rope_axes& axes) {
  return axes.rule == axis_rule::mrope || axes.rule == axis_rule::mrope_interleaved;
}

/// Position rows: time, height, width; or row, column; or one.
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
