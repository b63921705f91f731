#pragma once
// A table as JSON: the entries of the record, then `rows` with one object per row.

#include <utility>

#include "export/table_text.hpp"

namespace ropewalk::tables {

class json_format : public text_format {
 public:
  explicit json_format(row_labels labels) : labels_(std::move(labels)) {}

  std::string begin(std::string_view record) const override;
  std::string row(const text_row& row, std::int64_t at) const override;
  std::string end() const override { return "\n]}\n"; }

 private:
  row_labels labels_;
};

}  // namespace ropewalk::tables
