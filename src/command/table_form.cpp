#include "command/table_form.hpp"

namespace ropewalk::command {

std::int64_t table_grid::rows() const {
  if (!has_positions(form_)) return pairs_;
  return has_planes() ? 2 * positions_ : positions_;
}

std::int64_t table_grid::columns() const {
  if (form_.kind == table_kind::turns && !form_.is_in_digits) return turn_words;
  if (!has_positions(form_)) return 1;
  return form_.kind == table_kind::cos_sin ? 2 * pairs_ : pairs_;
}

table_place table_grid::at(std::int64_t row, std::int64_t column) const {
  const int narrow = static_cast<int>(column);
  if (!has_positions(form_)) return {row, static_cast<int>(row), false};
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
  if (!has_positions(form_))
    return columns() == 1 ? std::vector<std::int64_t>{rows()} : std::vector<std::int64_t>{rows(), columns()};
  if (has_planes()) return {2, positions_, columns()};
  if (is_complex(form_)) return {rows(), pairs_};
  return {rows(), columns()};
}

std::string table_grid::column_name(std::int64_t column) const {
  if (form_.kind == table_kind::turns) return "word_" + std::to_string(column);
  if (has_planes()) return "channel_" + std::to_string(column);
  const table_place place = at(0, column);
  const std::string pair = std::to_string(place.pair);
  if (form_.kind != table_kind::cos_sin) return "pair_" + pair;
  return (place.is_sin ? "sin_" : "cos_") + pair;
}

}  // namespace ropewalk::command
