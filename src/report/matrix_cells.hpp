#pragma once
// The matrix of laws and kernels as cells, which text and the page show alike.

#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "verify/results.hpp"

namespace ropewalk::report {

/// A mark that a cell may show, and its meaning.
struct matrix_mark {
  std::string_view sign;
  std::string_view meaning;
};

struct matrix_cell {
  std::string text;
  bool fails = false;
};

struct matrix_column {
  std::string kernel;  // its label; empty if the column is not of one
  std::string heading;
  std::vector<matrix_cell> cells;  // one for each row
};

struct cell_matrix {
  std::vector<std::string> rows;
  std::vector<matrix_column> columns;
};

/// Whether a result is of this library's tables; of a kernel, and so neither of those nor of an array of a
/// file.
inline bool is_table(const verify::result& result) { return result.kernel == verify::tables_label; }
inline bool is_of_kernel(const verify::result& result) { return !is_table(result) && !result.is_array; }

/// The results that share one cell.
using cell_results = std::vector<const verify::result*>;

/// Writes cells, and records the marks that they use.
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

/// The kernels of one operation: a row for each law, a column for each kernel; a cell shows the worst of all
/// models and dtypes.
cell_matrix kernel_cells(const verify::results& results, ropewalk_operation operation, cell_writer& write);

/// This library's own tables: a row for each family of encodings, with which of its laws comes closest to its
/// bound.
cell_matrix table_cells(const verify::results& results, cell_writer& write);

}  // namespace ropewalk::report
