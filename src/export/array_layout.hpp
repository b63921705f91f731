#pragma once
// What array a table of rotary numbers is: which number stands in which row and column. Bytes, digits, labels
// and comparisons all ask here, so a layout is written down once.

#include <cstdint>
#include <string>
#include <vector>

#include "export/table_kind.hpp"
#include "ropewalk/config/head_layout.hpp"

namespace ropewalk::output {

/// A kind of table and, for cos-sin, how it is laid out.
struct array_layout {
  table_kind kind{};
  cos_sin_layout arrangement = cos_sin_layout::vllm;
  pairing duplicated = pairing::half_split;  // layout hf: how each pair's entry is written twice
  bool is_in_digits = false;                 // turns are then one number each, not four words
};

constexpr bool has_positions(const array_layout& form) {
  return form.kind == table_kind::cos || form.kind == table_kind::sin || form.kind == table_kind::cos_sin;
}

constexpr bool is_complex(const array_layout& form) {
  return form.kind == table_kind::cos_sin && form.arrangement == cos_sin_layout::complex;
}

/// The number that stands somewhere in an array: of which position (the row of its list) and pair.
struct array_place {
  std::int64_t position_row = 0;  // the pair where there are no positions
  int pair = 0;
  bool is_sin = false;
};

/// The rows of one array for one encoding and number of positions. A complex number counts as two columns.
class array_grid {
 public:
  array_grid(const array_layout& form, int pairs, std::int64_t positions)
      : layout_(form), pairs_(pairs), positions_(has_positions(form) ? positions : 0) {}

  const array_layout& layout() const { return layout_; }
  int pairs() const { return pairs_; }
  std::int64_t rows() const;
  std::int64_t columns() const;

  /// Whether cosines and sines are the two halves of the array.
  bool has_planes() const {
    return layout_.kind == table_kind::cos_sin && layout_.arrangement == cos_sin_layout::hf;
  }

  /// domain  0 <= row < rows(), 0 <= column < columns()
  array_place at(std::int64_t row, std::int64_t column) const;

  std::vector<std::int64_t> shape() const;  // of the array in a file
  std::string column_name(std::int64_t column) const;

 private:
  array_layout layout_;
  int pairs_;
  std::int64_t positions_;
};

}  // namespace ropewalk::output
