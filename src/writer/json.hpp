#pragma once
// A table as JSON: the record's own entries, then `rows`, one object a row.

#include "writer/table_text.hpp"

namespace ropewalk::writer {

class json_format : public text_format {
 public:
  using text_format::text_format;

  std::string begin(std::string_view record) const override;
  std::string row(const text_row& row, bool is_first) const override;
  std::string end() const override { return "\n]}\n"; }
};

}  // namespace ropewalk::writer
