#pragma once
// The cells of the matrix of laws and kernels, shared by text and page.

#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "verify/results.hpp"

namespace ropewalk::report {

/// A mark of a cell, and its meaning.
struct matrix_mark {
  std::string_view sign;
  std::string_view meaning;
};

struct matrix_cell {
  std::string text;
  bool fails = false;
};

struct matrix_column {
  std::string kernel;  // its label; empty if the column has no kernel
  std::string heading;
  std::vector<matrix_cell> cells;  // one per row
};

struct cell_matrix {
  std::vector<std::string> rows;
  std::vector<matrix_column> columns;
};

/// Whether a result is of this library's tables; whether it is of a kernel, and so neither of a table nor of
/// an array.
inline bool is_table(const verify::result& result) { return result.kernel == verify::tables_label; }
inline bool is_of_kernel(const verify::result& result) { return !is_table(result) && !result.is_array; }

/// The results of one cell.
using cell_results = std::vector<const verify::result*>;

/// Writes cells, and records the marks used.
class cell_writer {
 public:
  matrix_cell of(const cell_results& all);
  matrix_cell of_skipped();

  /// The marks used so far, in the order of the legend.
  std::vector<matrix_mark> marks_used() const;

 private:
  matrix_cell failing_cell(const verify::result& worst, bool in_bits);
  std::string holding_text(const verify::result& worst);
  std::string used(const matrix_mark& sign, std::string text);
  std::string used(const matrix_mark& sign);

  std::set<std::string_view> used_;
};

/// The kernels of one operation: one row per law, one column per kernel. A cell shows the worst of all models
/// and dtypes.
cell_matrix kernel_cells(const verify::results& results, ropewalk_operation operation, cell_writer& write);

/// This library's own tables: one row per family of encodings, with the law that comes closest to its bound.
cell_matrix table_cells(const verify::results& results, cell_writer& write);

}  // namespace ropewalk::report
