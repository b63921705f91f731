#include "export/tables.hpp"

#include <algorithm>

#include "export/rows_in_order.hpp"

namespace ropewalk::output {

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

std::int64_t rows_a_piece(std::int64_t columns, const input::position_list& positions) {
  // Ranges of positions are evaluated many entries at once; each real position is reduced on its own.
  constexpr std::int64_t slower = 64;
  const std::int64_t rows = rows_a_run(columns);
  return positions.is_real() ? std::max<std::int64_t>(1, rows / slower) : rows;
}

}  // namespace ropewalk::output
