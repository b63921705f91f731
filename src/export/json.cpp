#include "export/json.hpp"

namespace ropewalk::tables {
namespace {

/// A JSON list, or its only entry if the rows are scalar; every entry except null is enclosed in `quote`.
std::string listed(const std::vector<std::string>& entries, bool is_scalar, std::string_view quote) {
  std::string text;
  for (const std::string& entry : entries) {
    if (!text.empty()) text += ",";
    if (entry == no_number)
      text += entry;
    else
      text.append(quote).append(entry).append(quote);
  }
  return is_scalar ? text : "[" + text + "]";
}

}  // namespace

std::string json_format::begin(std::string_view record) const {
  return std::string(record.substr(0, record.size() - 1)) + ",\"rows\":[\n";
}

std::string json_format::row(const text_row& row, std::int64_t at) const {
  std::string text = at == 0 ? "" : ",\n";
  text += "{";
  for (std::size_t i = 0; i < row.index.size(); ++i)
    text += "\"" + labels_.index[i] + "\":" + row.index[i] + ",";
  text +=
      "\"" + labels_.entries + "\":" + listed(row.entries, labels_.is_scalar, labels_.is_quoted ? "\"" : "");
  if (!row.bits.empty()) text += ",\"bits\":" + listed(row.bits, labels_.is_scalar, "\"");
  return text + "}";
}

}  // namespace ropewalk::tables
