#include "vectors/tables.hpp"

#include <cstddef>
#include <cstring>
#include <utility>

namespace ropewalk::vectors {

input::position_list listed_positions(std::vector<std::int32_t> listed) {
  return {.listed = std::move(listed), .is_listed = true};
}

input::position_list real_positions(std::vector<double> real) { return {.real = std::move(real)}; }

entry_case rows_of(const output::table& of, std::vector<std::string_view> flags) {
  entry_case r{.rows = {}, .flags = std::move(flags)};
  for (std::int64_t row = 0; row < of.about().rows; ++row) r.rows.push_back(row);
  return r;
}

std::vector<std::uint64_t> entries_of(const entry_group& of, const entry_case& at) {
  const std::unique_ptr<output::table_rows> rows = of.table->make_rows(of.dtype);
  std::vector<std::uint64_t> r;
  const std::size_t size = size_of(of.dtype);
  std::vector<std::byte> row(rows->row_bytes());
  const auto take = [&](std::int64_t column) {
    std::uint64_t bits = 0;  // numbers of this machine have their low byte first
    std::memcpy(&bits, row.data() + static_cast<std::size_t>(column) * size, size);
    r.push_back(bits);
  };
  for (const std::int64_t number : at.rows) {
    rows->fill(number, 1, row.data());
    if (at.columns.empty())
      for (std::int64_t column = 0; column < rows->columns(); ++column) take(column);
    else
      for (const std::int64_t column : at.columns) take(column);
  }
  return r;
}

}  // namespace ropewalk::vectors
