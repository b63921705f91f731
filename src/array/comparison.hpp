#pragma once
// Compares an array file with the correctly rounded table: how large its errors are, and where they begin.

#include <array>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "array/promise_search.hpp"
#include "export/table.hpp"
#include "input/array_file.hpp"
#include "ropewalk/kernel/promise.hpp"

namespace ropewalk::array {

/// Error sizes in ulps; a comparison reports the first place that exceeds each.
inline constexpr std::array<std::uint64_t, 3> ulp_marks = {1, 2, 1000};

/// Result of a comparison. Errors are distances from the correctly rounded entry.
struct comparison {
  std::int64_t entries = 0;
  std::int64_t rows_left_out = 0;  // not compared: time ran out
  std::int64_t different = 0;
  std::int64_t not_numbers = 0;
  std::uint64_t largest_ulp = 0;
  double largest_absolute = 0;
  entry_place first_different = nowhere;
  entry_place worst_ulp = nowhere;
  entry_place worst_absolute = nowhere;
  std::array<entry_place, ulp_marks.size()> first_past = {nowhere, nowhere, nowhere};
  std::vector<std::string> recipes;  // known recipes that give the same bits
  // From strict to loose; empty if entries have no such bounds.
  std::vector<tried_promise> promises{};
  vacuous_entries vacuous{};  // of the requested promise

  bool is_canonical() const { return different == 0; }
  /// The result for a promise; null if it was not tried. Promises that fix bits are never tried.
  const tried_promise* tried(const promise& promised) const;
  /// Whether the array keeps a promise. A promise that fixes bits requires correct rounding.
  bool keeps(const promise& promised) const;
};

/// Options of a comparison.
struct comparison_job {
  tables::table_dtype dtype;
  int threads = 1;
  bool is_quiet = false;
  promise promised = promise::canonical;  // canonical: every entry correctly rounded
  bool by_value = false;                  // +0 equals -0, as in laws
  // Any thread may call it. Once it returns true, further rows are read but not compared.
  std::function<bool()> is_out_of_time{};
};

/// The format of an array file's elements, by its header: uint16 means bfloat16, complex128 means two
/// binary64.
///
/// throws  bad_input when no table has such elements in that format, or `dtype_name` (from --dtype) names
///         another format
tables::table_dtype dtype_of_file(const input::array_file& file, tables::table_elements elements,
                                  const std::string& dtype_name);

/// Compares every entry of the array with the table. A complex number counts as two entries.
///
/// throws  bad_input when the array's shape is not the table's
comparison compare(const comparison_job& job, const tables::table& content, input::array_file& file);

}  // namespace ropewalk::array
