#include "export/array_layout.hpp"

namespace ropewalk::tables {

array_layout with_copies(array_layout form, pairing layout, const rope_axes& axes, const rope& encoding) {
  form.duplicated = layout;
  form.halves.clear();
  for (int pair = 0; pair < pair_count(encoding) && layout == pairing::half_split_by_axis; ++pair)
    form.halves.push_back(halves_of(pair, axes, encoding, layout));
  return form;
}

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
  if (!holds_both(layout_))
    return {row, has_copies(layout_) ? copied_pair(narrow) : narrow, layout_.kind == table_kind::sin};
  switch (layout_.arrangement) {
    case cos_sin_layout::vllm: return {row, narrow % pairs_, narrow >= pairs_};
    case cos_sin_layout::complex: return {row, narrow / 2, narrow % 2 != 0};
    case cos_sin_layout::hf: break;
  }
  return {row % positions_, copied_pair(narrow), row >= positions_};
}

/// The pair whose entry stands in a column of copies.
int array_grid::copied_pair(int column) const {
  if (layout_.duplicated == pairing::interleaved) return column / 2;
  if (layout_.halves.empty()) return column % pairs_;
  const pair_run& run = layout_.halves[static_cast<std::size_t>(column / 2)];
  return run.first + (column - 2 * run.first) % run.count;
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

}  // namespace ropewalk::tables
