#include "export/grid_table.hpp"

#include <nlohmann/json.hpp>

#include "export/tables.hpp"

namespace ropewalk::tables {
namespace {

std::string duplication_text(pairing layout) {
  switch (layout) {
    case pairing::interleaved:
      return "interleaved: channel c holds pair floor(c / 2), torch.repeat_interleave(f, 2, -1)";
    case pairing::half_split_by_axis:
      return "half-split by axis: torch.cat((f, f), -1) of the pairs f of each axis, one axis after another";
    case pairing::half_split: break;
  }
  return "half-split: channel c holds pair c mod rotary_dim/2, torch.cat((f, f), -1)";
}

}  // namespace

table_description described(const array_grid& grid) {
  const array_layout& form = grid.layout();
  table_description about = described(form.kind);
  if (is_complex(form)) about.elements = table_elements::complex;
  about.shape = grid.shape();
  about.rows = grid.rows();
  about.columns = grid.columns();
  if (!holds_both(form) && has_copies(form)) {
    about.axes = "[positions, rotary_dim]";
    about.convention += "; each pair's entry stands at both of its channels, as Hugging Face's cos and sin";
  }
  if (!holds_both(form)) return about;
  const cos_sin_layout_text& layout = text_of(form.arrangement);
  about.axes = layout.shape;
  about.convention += (about.convention.empty() ? "" : "; ") + std::string(layout.convention);
  return about;
}

coordinates grid_table::row_at(std::int64_t row) const {
  const array_place place = grid_.at(row, 0);
  if (!has_positions(grid_.layout())) return {{"pair", std::to_string(place.pair)}};
  coordinates at = position_at(place.position_row);
  if (grid_.has_planes()) at.insert(at.begin(), {"plane", place.is_sin ? "1" : "0"});
  return at;
}

coordinates grid_table::entry_at(std::int64_t row, std::int64_t column) const {
  const array_place place = grid_.at(row, column);
  const coordinate pair{"pair", std::to_string(place.pair)};
  if (!has_positions(grid_.layout())) return {pair};
  coordinates at = position_at(place.position_row);
  at.push_back(pair);
  if (holds_both(grid_.layout())) at.push_back({"of", place.is_sin ? "sin" : "cos", true});
  return at;
}

void grid_table::put_layout(input::json& record) const {
  const array_layout& form = grid_.layout();
  if (!holds_both(form) && !has_copies(form)) return;
  record["layout"] = text_of(form.arrangement).name;
  if (has_copies(form)) record["duplication"] = duplication_text(form.duplicated);
}

std::vector<std::string> grid_table::cos_sin_digits(std::int64_t row, int digits) const {
  std::vector<std::string> cos(static_cast<std::size_t>(grid_.pairs())), sin(cos.size());
  std::vector<std::string> made;
  for (std::int64_t column = 0; column < grid_.columns(); ++column) {
    const array_place place = grid_.at(row, column);
    std::string& text = (place.is_sin ? sin : cos)[static_cast<std::size_t>(place.pair)];
    if (text.empty()) text = digits_at(place, digits);
    made.push_back(text);
  }
  return made;
}

}  // namespace ropewalk::tables
