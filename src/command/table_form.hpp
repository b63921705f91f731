#pragma once
// What array a table is: which number stands in which row and column. Bytes, digits, labels and comparisons all ask
// here, so a layout is written down once.

#include <cstdint>
#include <string>
#include <vector>

#include "command/table_kind.hpp"
#include "command/which.hpp"
#include "ropewalk/config/head_layout.hpp"
#include "ropewalk/config/rope.hpp"

namespace ropewalk::command {

/// A kind of table and, for cos-sin, how it is laid out.
struct table_form {
  table_kind kind{};
  cos_sin_layout layout = cos_sin_layout::vllm;
  pairing duplicated = pairing::half_split;  // layout hf: how each pair's entry is written twice
};

/// The number that stands somewhere in an array: of which position (the row of its list) and pair.
struct table_place {
  std::int64_t position_row = 0;  // the pair where there are no positions
  int pair = 0;
  bool is_sin = false;
};

/// The rows of one array for one encoding and list of positions. A complex number counts as two columns.
class table_grid {
 public:
  table_grid(const table_form& form, const rope& config, const position_list& positions)
      : form_(form),
        pairs_(pair_count(config)),
        positions_(has_positions(form.kind) ? positions.size() : 0) {}

  const table_form& form() const { return form_; }
  int pairs() const { return pairs_; }
  std::int64_t rows() const;
  std::int64_t columns() const;

  /// domain  0 <= row < rows(), 0 <= column < columns()
  table_place at(std::int64_t row, std::int64_t column) const;

  std::vector<std::int64_t> shape() const;  // of the array in a file
  std::string column_name(std::int64_t column) const;

 private:
  bool has_planes() const { return form_.kind == table_kind::cos_sin && form_.layout == cos_sin_layout::hf; }

  table_form form_;
  int pairs_;
  std::int64_t positions_;
};

/// The names of a row's coordinates, and their numbers: plane and position, position, or pair.
std::vector<std::string> coordinate_names(const table_form& form);
std::vector<std::string> coordinates(const table_grid& grid, const position_list& positions,
                                     std::int64_t row);

/// How many rows make a piece of work worth a thread: fewer where an entry takes long.
std::int64_t rows_a_piece(const table_grid& grid, const position_list& positions);

/// Whether an array of this form is made in that format.
bool has_dtype(const table_form& form, table_dtype dtype);

/// How an array file spells the elements of this array.
npy_dtype array_dtype(const table_form& form, table_dtype dtype);

}  // namespace ropewalk::command
