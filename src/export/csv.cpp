#include "export/csv.hpp"

namespace ropewalk::tables {
namespace {

std::string joined(const std::vector<std::string>& words) {
  std::string text;
  for (const std::string& word : words) text += (text.empty() ? "" : ",") + word;
  return text;
}

}  // namespace

std::string csv_format::begin(std::string_view record) const {
  std::string text = "# " + std::string(record) + "\n" + joined(labels_.index);
  for (const std::string& column : labels_.columns) text += "," + column;
  // Bits only for rows of one entry: they would double wider rows, and the decimals read back to them.
  if (labels_.is_scalar && labels_.has_bits && !labels_.is_quoted) text += ",bits";
  return text + "\n";
}

std::string csv_format::row(const text_row& row, std::int64_t) const {
  std::string text = joined(row.index);
  for (const std::string& entry : row.entries) text += "," + entry;
  if (labels_.is_scalar)
    for (const std::string& bits : row.bits) text += "," + bits;
  return text + "\n";
}

}  // namespace ropewalk::tables
