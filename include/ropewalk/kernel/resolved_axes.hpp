#pragma once
// A rotary embedding on several axes, resolved for a kernel: the numbers of each pair, and the position row
// that rotates it.

#include <concepts>

#include "ropewalk/encoding/rope_axes.hpp"
#include "ropewalk/kernel/resolved.hpp"

namespace ropewalk {

/// Owns the arrays of a ropewalk_rotation whose calls give axis_count position rows.
///
/// error, throws   as resolved_encoding
class resolved_axes : public resolved_encoding {
 public:
  /// `often` is a hint: a range of frequent positions; empty means no hint.
  template <std::same_as<rope> Config = rope>
  resolved_axes(const Config& config, const rope_axes& axes, const head_layout& layout,
                position_range often = {}, const axis_coordinates& coordinates = {})
      : resolved_encoding(placed_rope{config, axes, coordinates}, layout, often) {}
};

}  // namespace ropewalk
