#pragma once
// A table as comma-separated values: a comment line with the record as JSON, a line of column names, then one
// line per row.

#include <utility>

#include "export/table_text.hpp"

namespace ropewalk::tables {

class csv_format : public text_format {
 public:
  explicit csv_format(row_labels labels) : labels_(std::move(labels)) {}

  std::string begin(std::string_view record) const override;
  std::string row(const text_row& row, std::int64_t at) const override;
  std::string end() const override { return ""; }

 private:
  row_labels labels_;
};

}  // namespace ropewalk::tables
