// Tables of a rotary embedding on several axes: each pair's cosine and sine at the position on its own axis.
// A skewed map has the same entries, for each channel.

#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

#include "export/grid_table.hpp"
#include "export/tables.hpp"
#include "model/axes_form.hpp"
#include "model/record.hpp"
#include "ropewalk/reference/rope_axes_digits.hpp"
#include "ropewalk/table/rope_axes_rows.hpp"

namespace ropewalk::tables {
namespace {

template <floating_format Float>
class rows_on_axes : public grid_rows<Float> {
 public:
  rows_on_axes(const array_grid& grid, const model::model& model, const input::axis_positions& positions)
      : grid_rows<Float>(grid, positions.tokens()), rows_(model::placed(model)), positions_(positions) {}

 private:
  using typename grid_rows<Float>::entry;

  void evaluate(std::int64_t first, std::int64_t count, entry* cos, entry* sin) const override {
    std::size_t at = 0;
    for (std::int64_t token = first; token < first + count; ++token)
      for (const cos_sin_bits<Float>& made : row_of(token)) {
        cos[at] = made.cos;
        sin[at++] = made.sin;
      }
  }

  std::vector<cos_sin_bits<Float>> row_of(std::int64_t token) const {
    return positions_.is_real() ? rows_.template row_at<Float>(positions_.numbers_at(token))
                                : rows_.template row<Float>(positions_.at(token));
  }

  rope_axes_rows rows_;
  input::axis_positions positions_;
};

table_description described_on_axes(const array_grid& grid) {
  table_description about = described(grid);
  about.rows_per_piece = slow_rows_per_piece(about.columns);
  return about;
}

class rope_axes_numbers : public grid_table {
 public:
  rope_axes_numbers(const array_grid& grid, const model::model& model, input::axis_positions positions)
      : grid_table(described_on_axes(grid), grid,
                   rotary_content{grid.layout(), model, {std::move(positions), model::placed(model)}}) {}

  void put(input::json& record) const override {
    put_layout(record);
    record["positions"] = positions().text();
    record["model"] = model::model_record(model_);
    record["encoding"] = {{"name", is_skewed() ? "skewed_map" : "rope_axes"}, {"rule", name_of(model_.axes)}};
    if (is_mrope(model_.axes))
      record["encoding"]["mrope_section"] = sections_of(model_.axes);
    else
      record["encoding"]["axes"] = model::axes_form(model_);
  }

  std::unique_ptr<table_rows> make_rows(table_dtype dtype) const override {
    return in_format(dtype, [&]<class Float>() -> std::unique_ptr<table_rows> {
      return std::make_unique<rows_on_axes<Float>>(grid(), model_, positions());
    });
  }

  std::vector<std::string> row_of_digits(std::int64_t row, int digits) const override {
    return cos_sin_digits(row, digits);
  }

 private:
  bool is_skewed() const { return grid().layout().kind == table_kind::skewed_cos_sin; }

  coordinates position_at(std::int64_t position_row) const override {
    coordinates position;
    for (int axis = 0; axis < positions().axes; ++axis)
      position.push_back(
          {axis_name(static_cast<std::size_t>(axis)), positions().text_at(axis, position_row)});
    return position;
  }

  std::string axis_name(std::size_t axis) const {
    static constexpr const char* of_video[] = {"time", "height", "width"};
    static constexpr const char* of_image[] = {"row", "column"};
    if (is_mrope(model_.axes)) return of_video[axis];
    if (is_pixtral(model_.axes) || is_qwen_vision(model_.axes)) return of_image[axis];
    return "axis " + std::to_string(axis);
  }

  std::string digits_at(const array_place& place, int digits) const override {
    const std::vector<double> at = positions().numbers_at(place.position_row);
    return place.is_sin ? reference::rope_axes_sin_digits(at, place.pair, model_.axes, model_.encoding,
                                                          digits, model_.coordinates)
                        : reference::rope_axes_cos_digits(at, place.pair, model_.axes, model_.encoding,
                                                          digits, model_.coordinates);
  }

  const input::axis_positions& positions() const {
    return std::get<rotary_content>(content()).positions.on_axes();
  }

  const model::model& model_ = std::get<rotary_content>(content()).model;
};

}  // namespace

std::unique_ptr<table> rope_axes_table_of(const array_layout& layout, const model::model& model,
                                          input::axis_positions positions) {
  const array_grid grid(layout, pair_count(model.encoding), positions.tokens());
  return std::make_unique<rope_axes_numbers>(grid, model, std::move(positions));
}

}  // namespace ropewalk::tables
