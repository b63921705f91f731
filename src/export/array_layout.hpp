#pragma once
// Layout of a table of rotary numbers: which number is in which row and column. Bytes, digits, labels and
// comparisons all use this, so that each layout is defined once.

#include <cstdint>
#include <string>
#include <vector>

#include "export/table_kind.hpp"
#include "ropewalk/config/head_layout.hpp"
#include "ropewalk/config/rope.hpp"
#include "ropewalk/config/rope_axes.hpp"

namespace ropewalk::tables {

/// A kind of table and, where it holds both cosines and sines, how it is laid out.
struct array_layout {
  table_kind kind{};
  cos_sin_layout arrangement = cos_sin_layout::vllm;
  pairing duplicated = pairing::half_split;  // layout hf: columns of the two copies of a pair's entry
  std::vector<pair_run> halves{};  // where copies are half-split by axis: the run of each pair's axis
  bool is_in_digits = false;       // turns are then one decimal each, not four words
};

/// The layout with the copies of each entry at a pair's two channels.
array_layout with_copies(array_layout form, pairing layout, const rope_axes& axes, const rope& encoding);

/// Whether cosines and sines are one array.
constexpr bool holds_both(const array_layout& form) {
  return form.kind == table_kind::cos_sin || form.kind == table_kind::xpos || form.kind == table_kind::axes ||
         form.kind == table_kind::mixed || form.kind == table_kind::skewed_cos_sin ||
         form.kind == table_kind::pooled_cos_sin;
}

constexpr bool has_positions(const array_layout& form) {
  return form.kind == table_kind::cos || form.kind == table_kind::sin || holds_both(form);
}

/// Whether each number stands at both channels of its pair, as in Hugging Face's cos and sin.
constexpr bool has_copies(const array_layout& form) {
  return has_positions(form) && form.arrangement == cos_sin_layout::hf;
}

constexpr bool is_complex(const array_layout& form) {
  return holds_both(form) && form.arrangement == cos_sin_layout::complex;
}

/// The number in an array entry: its position, as a row of the position list, its pair, and cosine or sine.
struct array_place {
  std::int64_t position_row = 0;  // the pair, for kinds without positions
  int pair = 0;
  bool is_sin = false;
};

/// Rows and columns of an array, for a number of pairs and positions. A complex number counts as two columns.
class array_grid {
 public:
  array_grid(const array_layout& form, int pairs, std::int64_t positions)
      : layout_(form), pairs_(pairs), positions_(has_positions(form) ? positions : 0) {}

  const array_layout& layout() const { return layout_; }
  int pairs() const { return pairs_; }
  std::int64_t rows() const;
  std::int64_t columns() const;

  /// Whether cosines and sines are the two halves of the array.
  bool has_planes() const { return holds_both(layout_) && layout_.arrangement == cos_sin_layout::hf; }

  /// domain  0 <= row < rows(), 0 <= column < columns()
  array_place at(std::int64_t row, std::int64_t column) const;

  std::vector<std::int64_t> shape() const;  // of the array in a file
  std::string column_name(std::int64_t column) const;

 private:
  int copied_pair(int column) const;

  array_layout layout_;
  int pairs_;
  std::int64_t positions_;
};

}  // namespace ropewalk::tables
