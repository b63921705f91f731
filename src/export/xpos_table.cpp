// Tables of xPos: cosines and sines times the scale, for queries or for keys.

#include <memory>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <string>
#include <utility>

#include "export/grid_table.hpp"
#include "export/tables.hpp"
#include "input/bad_input.hpp"
#include "ropewalk/reference/xpos_digits.hpp"
#include "ropewalk/table/xpos_rows.hpp"

namespace ropewalk::tables {
namespace {

template <floating_format Float>
class xpos_rows : public grid_rows<Float> {
 public:
  xpos_rows(const array_grid& grid, const xpos& config, xpos_side side, const input::position_list& positions)
      : grid_rows<Float>(grid, positions.size()), config_(config), side_(side), positions_(positions) {}

 private:
  using typename grid_rows<Float>::entry;

  void evaluate(std::int64_t first, std::int64_t count, entry* cos, entry* sin) const override {
    std::size_t index = 0;
    for (std::int64_t i = first; i < first + count; ++i)
      for (const cos_sin_bits<Float>& pair : xpos_row<Float>(positions_.at(i), side_, config_)) {
        cos[index] = pair.cos;
        sin[index++] = pair.sin;
      }
  }

  xpos config_;
  xpos_side side_;
  input::position_list positions_;
};

table_description description_of(const array_grid& grid, const xpos& config, xpos_side side) {
  table_description description = described(grid);
  const std::string sign = side == xpos_side::query ? "" : "-";
  description.convention = "cosines and sines of position x base^(-2 pair / rotary_dim), times z^(" + sign +
                           "(position - ceil(length / 2)) / scale_base), z = (2 pair + 0.4 rotary_dim) / "
                           "(1.4 rotary_dim), for " +
                           name_of(side) + " rows; " + description.convention;
  description.rows_per_piece = slow_rows_per_piece(config.rotary_dim);
  return description;
}

class xpos_numbers : public grid_table {
 public:
  xpos_numbers(const array_grid& grid, const xpos& config, xpos_side side, input::position_list positions)
      : grid_table(description_of(grid, config, side), grid),
        config_(config),
        side_(side),
        positions_(std::move(positions)) {}

  void put(input::json& record) const override {
    put_layout(record);
    record["positions"] = positions_.text();
    record["encoding"] = {{"name", "xpos"},
                          {"side", name_of(side_)},
                          {"base", config_.base},
                          {"rotary_dim", config_.rotary_dim},
                          {"scale_base", config_.scale_base},
                          {"length", config_.length}};
  }

  std::unique_ptr<table_rows> make_rows(table_dtype dtype) const override {
    return in_format(dtype, [&]<class Float>() -> std::unique_ptr<table_rows> {
      return std::make_unique<xpos_rows<Float>>(grid(), config_, side_, positions_);
    });
  }

  std::vector<std::string> row_of_digits(std::int64_t row, int digits) const override {
    return cos_sin_digits(row, digits);
  }

 private:
  coordinates position_at(std::int64_t position_row) const override {
    return {{"position", positions_.text_at(position_row)}};
  }

  std::string digits_at(const array_place& place, int digits) const override {
    const std::int64_t position = positions_.at(place.position_row);
    return place.is_sin ? reference::xpos_sin_digits(position, place.pair, side_, config_, digits)
                        : reference::xpos_cos_digits(position, place.pair, side_, config_, digits);
  }

  xpos config_;
  xpos_side side_;
  input::position_list positions_;
};

/// Refuses positions where the exponent of the scale is too large. To be called before anything is written.
void refuse_distant_positions(const xpos& config, const input::position_list& positions) {
  const std::int64_t farthest = largest_xpos_exponent * config.scale_base;
  const auto check = [&](std::int64_t position) {
    const std::int64_t steps = position + xpos_offset(config);
    if (steps < -farthest || steps > farthest)
      throw bad_input("positions", positions.text() + " (position " + std::to_string(position) + ")",
                      "positions from " + std::to_string(-farthest - xpos_offset(config)) + " to " +
                          std::to_string(farthest - xpos_offset(config)) +
                          ", for this scale-base and length");
  };
  if (!positions.is_listed) {
    check(positions.range.begin);
    check(positions.range.end - 1);
  }
  for (const std::int32_t position : positions.listed) check(position);
}

}  // namespace

std::unique_ptr<table> xpos_table_of(const array_layout& layout, const xpos& config, xpos_side side,
                                     input::position_list positions) {
  refuse_distant_positions(config, positions);
  const array_grid grid(layout, config.rotary_dim / 2, positions.size());
  return std::make_unique<xpos_numbers>(grid, config, side, std::move(positions));
}

}  // namespace ropewalk::tables
