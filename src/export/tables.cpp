#include "export/tables.hpp"

#include <algorithm>

#include "export/rows_in_order.hpp"
#include "input/bad_input.hpp"

namespace ropewalk::tables {

table_description described(table_kind kind) {
  const table_kind_text& text = text_of(kind);
  table_description about;
  about.name = text.name;
  about.array = text.array;
  about.axes = text.shape;
  about.units = text.units;
  about.convention = text.convention;
  return about;
}

void refuse_positions_beyond(const input::position_list& positions, std::int64_t count,
                             const std::string& why) {
  const auto refuse = [&](std::int64_t position) {
    if (position < 0 || position >= count)
      throw bad_input("positions", positions.text() + " (position " + std::to_string(position) + ")",
                      "positions from 0 to " + std::to_string(count - 1) + ", " + why);
  };
  if (!positions.is_listed) {
    refuse(positions.range.begin);
    refuse(positions.range.end - 1);
  }
  for (const std::int32_t position : positions.listed) refuse(position);
}

std::int64_t slow_rows_per_piece(std::int64_t columns) {
  constexpr std::int64_t slower = 64;
  return std::max<std::int64_t>(1, rows_per_run(columns) / slower);
}

std::int64_t rows_per_piece(std::int64_t columns, const input::position_list& positions) {
  return positions.is_real() ? slow_rows_per_piece(columns) : rows_per_run(columns);
}

}  // namespace ropewalk::tables
