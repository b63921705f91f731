#pragma once
// A table as text: JSON, CSV and source code. A row is its index and its entries; numbers arrive as text, so any
// precision will do.

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace ropewalk::output {

/// How the rows of a table are labelled, in JSON and CSV.
struct row_labels {
  std::vector<std::string> index;    // "pair" or "position"; one name a coordinate of the row
  std::vector<std::string> columns;  // one name an entry, for CSV
  std::string entries;               // the name of the list of entries, for JSON
  bool is_scalar = false;            // one entry a row: JSON writes it without brackets
  bool has_bits = true;              // beside an entry that is alone in its row
  bool is_quoted = false;            // more digits than a JSON reader keeps: strings
};

/// An entry that JSON has no number for.
inline constexpr std::string_view no_number = "null";

/// One row: its coordinates, and the text of its entries; `bits` is empty or has as many.
struct text_row {
  std::vector<std::string> index;
  std::vector<std::string> entries;
  std::vector<std::string> bits;
};

/// What stands before, between and after the rows; `record` is JSON on one line that says what the table is.
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

}  // namespace ropewalk::output
