#include "export/array_layout.hpp"

namespace ropewalk::output {

std::int64_t array_grid::rows() const {
  if (!has_positions(layout_)) return pairs_;
  return has_planes() ? 2 * positions_ : positions_;
}

std::int64_t array_grid::columns() const {
  if (layout_.kind == table_kind::turns && !layout_.is_in_digits) return turn_words;
  if (!has_positions(layout_)) return 1;
  return holds_both(layout_) || has_copies(layout_) ? 2 * pairs_ : pairs_;
}

array_place array_grid::at(std::int64_t row, std::int64_t column) const {
  const int narrow = static_cast<int>(column);
  if (!has_positions(layout_)) return {row, static_cast<int>(row), false};
  const int copied = layout_.duplicated == pairing::half_split ? narrow % pairs_ : narrow / 2;
  if (!holds_both(layout_))
    return {row, has_copies(layout_) ? copied : narrow, layout_.kind == table_kind::sin};
  switch (layout_.arrangement) {
    case cos_sin_layout::vllm: return {row, narrow % pairs_, narrow >= pairs_};
    case cos_sin_layout::complex: return {row, narrow / 2, narrow % 2 != 0};
    case cos_sin_layout::hf: break;
  }
  return {row % positions_, copied, row >= positions_};
}

std::vector<std::int64_t> array_grid::shape() const {
  if (!has_positions(layout_))
    return columns() == 1 ? std::vector<std::int64_t>{rows()} : std::vector<std::int64_t>{rows(), columns()};
  if (has_planes()) return {2, positions_, columns()};
  if (is_complex(layout_)) return {rows(), pairs_};
  return {rows(), columns()};
}

std::string array_grid::column_name(std::int64_t column) const {
  if (layout_.kind == table_kind::turns) return "word_" + std::to_string(column);
  if (has_copies(layout_)) return "channel_" + std::to_string(column);
  const array_place place = at(0, column);
  const std::string pair = std::to_string(place.pair);
  if (!holds_both(layout_)) return "pair_" + pair;
  return (place.is_sin ? "sin_" : "cos_") + pair;
}

}  // namespace ropewalk::output
