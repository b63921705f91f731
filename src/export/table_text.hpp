#pragma once
// A table as text: JSON, CSV and source code. A row is its index and its entries; numbers arrive as text, so
// any precision is possible.

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace ropewalk::tables {

/// How the rows of a table are labelled, in JSON and CSV.
struct row_labels {
  std::vector<std::string> index;    // a name for each coordinate of a row: "pair", "position"
  std::vector<std::string> columns;  // CSV: a name for each entry
  std::string entries;               // JSON: the name of the list of entries
  bool is_scalar = false;            // one entry per row: JSON writes it without brackets
  bool has_bits = true;              // CSV adds a column of bits if rows have one entry
  bool is_quoted = false;            // JSON writes entries as strings: readers would drop digits
};

/// Text of an entry for which JSON has no number: an infinity.
inline constexpr std::string_view no_number = "null";

/// One row: its coordinates and the text of its entries. `bits` is empty or has one text per entry.
struct text_row {
  std::vector<std::string> index;
  std::vector<std::string> entries;
  std::vector<std::string> bits;
};

/// A text format: the text before the rows, of each row, and after them. `record` describes the table as JSON
/// on one line.
class text_format {
 public:
  text_format() = default;
  virtual ~text_format() = default;
  text_format(const text_format&) = delete;
  text_format& operator=(const text_format&) = delete;

  virtual std::string begin(std::string_view record) const = 0;
  virtual std::string row(const text_row& row, std::int64_t at) const = 0;  // row number `at` of the table
  virtual std::string end() const = 0;
};

}  // namespace ropewalk::tables
