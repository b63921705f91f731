#pragma once
// Cosines and sines averaged over the cells of a token. Models that store their history in larger patches
// average the table of the full grid over each patch. An averaged pair is not the cosine and sine of one
// angle.

#include <cstdint>

#include "ropewalk/config/require.hpp"

namespace ropewalk {

inline constexpr int most_pooled_cells = 64;  // per axis

/// A token's cells along one axis: `cells` of them, from index `first` on. Cells beyond the grid's `last`
/// index repeat it (replicate padding).
///
/// source  `pad_for_3d_conv` and `center_down_sample_3d` of Helios and FramePack in Hugging Face diffusers
struct axis_window {
  std::int32_t first = 0;
  std::int32_t last = 0;
  int cells = 1;  // a power of two; 1: the index itself

  /// Index of one cell.
  ///
  /// domain  0 <= cell < cells
  constexpr std::int32_t index(int cell) const { return last - first < cell ? last : first + cell; }
  friend constexpr bool operator==(const axis_window&, const axis_window&) = default;
};

/// throws  std::invalid_argument naming the field, its value and what is allowed
constexpr void validate(const axis_window& window) {
  require(window.cells >= 1 && window.cells <= most_pooled_cells && (window.cells & (window.cells - 1)) == 0,
          "cells", window.cells, "1, 2, 4, 8, 16, 32 or 64");
  require(window.first >= 0, "first", window.first, "a number from 0 on");
  require(window.last >= window.first, "last", window.last, "a number not below first");
}

}  // namespace ropewalk
