#pragma once
// A table as text: JSON and CSV. A row is its index and its entries; numbers arrive as text, so any precision
// will do.

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace ropewalk::writer {

/// How a table's rows are labelled.
struct row_labels {
  std::vector<std::string> index;    // "pair" or "position"; one name a coordinate of the row
  std::vector<std::string> columns;  // one name an entry, for CSV
  std::string entries;               // the name of the list of entries, for JSON
  bool is_scalar = false;            // one entry a row: JSON writes it without brackets
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
  explicit text_format(row_labels labels) : labels_(std::move(labels)) {}
  virtual ~text_format() = default;
  text_format(const text_format&) = delete;
  text_format& operator=(const text_format&) = delete;

  virtual std::string begin(std::string_view record) const = 0;
  virtual std::string row(const text_row& row, bool is_first) const = 0;
  virtual std::string end() const = 0;

 protected:
  const row_labels& labels() const { return labels_; }

 private:
  row_labels labels_;
};

}  // namespace ropewalk::writer
