#include "vectors/tables.hpp"

#include <cstddef>
#include <cstring>
#include <utility>

namespace ropewalk::vectors {

input::position_list listed_positions(std::vector<std::int32_t> listed) {
  return {.listed = std::move(listed), .is_listed = true};
}

input::position_list real_positions(std::vector<double> real) { return {.real = std::move(real)}; }

entry_case rows_of(const tables::table& table, std::vector<std::string_view> flags) {
  entry_case rows{.rows = {}, .flags = std::move(flags)};
  for (std::int64_t row = 0; row < table.about().rows; ++row) rows.rows.push_back(row);
  return rows;
}

std::vector<std::uint64_t> entries_of(const entry_group& group, const entry_case& at) {
  const std::unique_ptr<tables::table_rows> rows = group.table->make_rows(group.dtype);
  std::vector<std::uint64_t> entries;
  const std::size_t size = size_of(group.dtype);
  std::vector<std::byte> row(rows->row_bytes());
  const auto take = [&](std::int64_t column) {
    std::uint64_t bits = 0;  // little endian: the low byte is first
    std::memcpy(&bits, row.data() + static_cast<std::size_t>(column) * size, size);
    entries.push_back(bits);
  };
  for (const std::int64_t number : at.rows) {
    rows->fill(number, 1, row.data());
    if (at.columns.empty())
      for (std::int64_t column = 0; column < rows->columns(); ++column) take(column);
    else
      for (const std::int64_t column : at.columns) take(column);
  }
  return entries;
}

}  // namespace ropewalk::vectors
