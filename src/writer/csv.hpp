#pragma once
// A table as comma-separated values: one comment line with the record as JSON, one line of names, one line a
// row.

#include "writer/table_text.hpp"

namespace ropewalk::writer {

class csv_format : public text_format {
 public:
  using text_format::text_format;

  std::string begin(std::string_view record) const override;
  std::string row(const text_row& row, bool is_first) const override;
  std::string end() const override { return ""; }
};

}  // namespace ropewalk::writer
