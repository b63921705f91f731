#include "command/table_form.hpp"

#include <algorithm>

#include "command/chunks.hpp"

namespace ropewalk::command {

std::int64_t table_grid::rows() const {
  if (!has_positions(form_.kind)) return pairs_;
  return has_planes() ? 2 * positions_ : positions_;
}

std::int64_t table_grid::columns() const {
  if (form_.kind == table_kind::turns) return turn_words;
  if (!has_positions(form_.kind)) return 1;
  return form_.kind == table_kind::cos_sin ? 2 * pairs_ : pairs_;
}

table_place table_grid::at(std::int64_t row, std::int64_t column) const {
  const int narrow = static_cast<int>(column);
  if (!has_positions(form_.kind)) return {row, static_cast<int>(row), false};
  if (form_.kind != table_kind::cos_sin) return {row, narrow, form_.kind == table_kind::sin};
  switch (form_.layout) {
    case cos_sin_layout::vllm: return {row, narrow % pairs_, narrow >= pairs_};
    case cos_sin_layout::complex: return {row, narrow / 2, narrow % 2 != 0};
    case cos_sin_layout::hf: break;
  }
  const int pair = form_.duplicated == pairing::half_split ? narrow % pairs_ : narrow / 2;
  return {row % positions_, pair, row >= positions_};
}

std::vector<std::int64_t> table_grid::shape() const {
  if (!has_positions(form_.kind))
    return columns() == 1 ? std::vector<std::int64_t>{rows()} : std::vector<std::int64_t>{rows(), columns()};
  if (has_planes()) return {2, positions_, columns()};
  if (form_.kind == table_kind::cos_sin && form_.layout == cos_sin_layout::complex) return {rows(), pairs_};
  return {rows(), columns()};
}

std::string table_grid::column_name(std::int64_t column) const {
  if (form_.kind == table_kind::turns) return "word_" + std::to_string(column);
  if (!has_positions(form_.kind)) return std::string(text_of(form_.kind).array);
  if (has_planes()) return "channel_" + std::to_string(column);
  const table_place place = at(0, column);
  const std::string pair = std::to_string(place.pair);
  if (form_.kind != table_kind::cos_sin) return "pair_" + pair;
  return (place.is_sin ? "sin_" : "cos_") + pair;
}

std::vector<std::string> coordinate_names(const table_form& form) {
  if (!has_positions(form.kind)) return {"pair"};
  if (form.kind == table_kind::cos_sin && form.layout == cos_sin_layout::hf) return {"plane", "position"};
  return {"position"};
}

std::vector<std::string> coordinates(const table_grid& grid, const position_list& positions,
                                     std::int64_t row) {
  const table_place place = grid.at(row, 0);
  if (!has_positions(grid.form().kind)) return {std::to_string(place.pair)};
  const std::string position = positions.text_at(place.position_row);
  if (coordinate_names(grid.form()).size() == 1) return {position};
  return {place.is_sin ? "1" : "0", position};
}

std::int64_t rows_a_piece(const table_grid& grid, const position_list& positions) {
  // A walk takes many entries at once, a real position is reduced by itself.
  constexpr std::int64_t slower = 64;
  const std::int64_t rows = rows_a_run(grid.columns());
  return positions.is_real() ? std::max<std::int64_t>(1, rows / slower) : rows;
}

bool has_dtype(const table_form& form, table_dtype dtype) {
  if (form.kind == table_kind::turns) return dtype == table_dtype::u32;
  if (form.kind == table_kind::cos_sin && form.layout == cos_sin_layout::complex)
    return dtype == table_dtype::f32 || dtype == table_dtype::f64;
  return dtype != table_dtype::u32;
}

npy_dtype array_dtype(const table_form& form, table_dtype dtype) {
  if (form.kind != table_kind::cos_sin || form.layout != cos_sin_layout::complex) return text_of(dtype).array;
  return dtype == table_dtype::f64 ? npy_dtype::c128 : npy_dtype::c64;
}

}  // namespace ropewalk::command
