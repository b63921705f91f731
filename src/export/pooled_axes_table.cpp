// Tables of cosines and sines that are averaged over cells, for models that pool their history.

#include <map>
#include <memory>
#include <nlohmann/json.hpp>
#include <span>
#include <string>
#include <vector>

#include "export/grid_table.hpp"
#include "export/tables.hpp"
#include "model/record.hpp"
#include "ropewalk/reference/pooled_axes_digits.hpp"
#include "ropewalk/table/pooled_axes_rows.hpp"

namespace ropewalk::tables {
namespace {

/// The windows of one token, one for each axis.
std::span<const axis_window> windows_at(const model::model& model, std::int64_t token) {
  const auto axes = static_cast<std::size_t>(model.axes.count);
  return {model.windows.data() + static_cast<std::size_t>(token) * axes, axes};
}

template <floating_format Float>
class rows_of_means : public grid_rows<Float> {
 public:
  rows_of_means(const array_grid& grid, const model::model& model)
      : grid_rows<Float>(grid, model.placed_tokens->tokens()), model_(model), rows_(model::placed(model)) {}

 private:
  using typename grid_rows<Float>::entry;

  void evaluate(std::int64_t first, std::int64_t count, entry* cos, entry* sin) const override {
    std::size_t at = 0;
    for (std::int64_t token = first; token < first + count; ++token)
      for (const cos_sin_bits<Float>& made : rows_.template row<Float>(windows_at(model_, token))) {
        cos[at] = made.cos;
        sin[at++] = made.sin;
      }
  }

  model::model model_;
  pooled_axes_rows rows_;
};

table_description described_means(const array_grid& grid) {
  table_description about = described(grid);
  about.rows_per_piece = slow_rows_per_piece(about.columns);
  return about;
}

class means : public grid_table {
 public:
  means(const array_grid& grid, const model::model& model)
      : grid_table(described_means(grid), grid,
                   pooled_content{grid.layout(), model, {*model.placed_tokens, model::placed(model)}}) {}

  void put(input::json& record) const override {
    put_layout(record);
    record["positions"] = model_.placed_tokens->text();
    record["model"] = model::model_record(model_);
    std::map<std::string, std::int64_t> tokens;  // by the cells of a side
    for (std::int64_t token = 0; token < model_.placed_tokens->tokens(); ++token)
      ++tokens[std::to_string(windows_at(model_, token).front().cells)];
    record["encoding"] = {{"name", "pooled_axes"}, {"tokens_by_cells_of_a_side", tokens}};
  }

  std::unique_ptr<table_rows> make_rows(table_dtype dtype) const override {
    return in_format(dtype, [&]<class Float>() -> std::unique_ptr<table_rows> {
      return std::make_unique<rows_of_means<Float>>(grid(), model_);
    });
  }

  std::vector<std::string> row_of_digits(std::int64_t row, int digits) const override {
    return cos_sin_digits(row, digits);
  }

 private:
  coordinates position_at(std::int64_t token) const override {
    coordinates position;
    for (int axis = 0; axis < model_.axes.count; ++axis)
      position.push_back({"axis " + std::to_string(axis), model_.placed_tokens->text_at(axis, token)});
    position.push_back({"cells", std::to_string(windows_at(model_, token).front().cells)});
    return position;
  }

  std::string digits_at(const array_place& place, int digits) const override {
    const auto at = windows_at(model_, place.position_row);
    const std::vector<axis_window> windows(at.begin(), at.end());
    const auto digits_of =
        place.is_sin ? reference::pooled_axes_sin_digits : reference::pooled_axes_cos_digits;
    return digits_of(windows, place.pair, model_.axes, model_.encoding, digits);
  }

  const model::model& model_ = std::get<pooled_content>(content()).model;
};

}  // namespace

std::unique_ptr<table> pooled_axes_table_of(const array_layout& layout, const model::model& model) {
  const array_grid grid(layout, pair_count(model.encoding), model.placed_tokens->tokens());
  return std::make_unique<means>(grid, model);
}

}  // namespace ropewalk::tables
