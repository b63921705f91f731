// Tables of rotary numbers: frequencies, turns, cosines and sines, ggml's divisors.

#include <algorithm>
#include <cstring>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>

#include "export/grid_table.hpp"
#include "export/rows_in_order.hpp"
#include "export/tables.hpp"
#include "kernel/run_time_table.hpp"
#include "model/record.hpp"
#include "ropewalk/reference/frequency_divisor_digits.hpp"
#include "ropewalk/reference/rope_digits.hpp"
#include "ropewalk/table/frequency_divisors.hpp"
#include "ropewalk/table/inv_freq_table.hpp"
#include "ropewalk/table/turns_table.hpp"

namespace ropewalk::tables {
namespace {

template <floating_format Float>
class cos_sin_rows : public grid_rows<Float, row_entry<Float>> {
 public:
  cos_sin_rows(const array_grid& grid, const rope& config, const input::position_list& positions)
      : grid_rows<Float, row_entry<Float>>(grid, positions.size()), table_(config), positions_(positions) {}

 private:
  using typename grid_rows<Float, row_entry<Float>>::entry;

  void evaluate(std::int64_t first, std::int64_t count, entry* cos, entry* sin) const override {
    if (!positions_.is_real() && !positions_.is_listed) {
      const position_range run{positions_.at(first), positions_.at(first) + count};
      this->add_decided(table_.template fill<Float>(run, cos, sin));
      return;
    }
    const std::size_t pairs = this->pairs();
    std::vector<bits_of<Float>> exact_cos(pairs), exact_sin(pairs);
    for (std::int64_t i = 0; i < count; ++i, cos += pairs, sin += pairs) {
      if (positions_.is_real())
        table_.exact().template row<Float>(positions_.real_at(first + i), false, exact_cos.data(),
                                           exact_sin.data());
      else
        table_.exact().template row<Float>(positions_.at(first + i), false, exact_cos.data(),
                                           exact_sin.data());
      std::memcpy(cos, exact_cos.data(), pairs * sizeof(entry));
      std::memcpy(sin, exact_sin.data(), pairs * sizeof(entry));
    }
  }

  run_time_table table_;
  input::position_list positions_;
};

table_description description_of(const array_grid& grid, const input::position_list& positions) {
  const array_layout& form = grid.layout();
  table_description about = described(grid);
  about.rows_per_piece = rows_per_piece(about.columns, positions);
  if (form.kind == table_kind::turns) {
    about.elements = table_elements::turns;
    about.rounding = "to nearest from the exact value";
    if (form.is_in_digits) {
      about.axes = "[rotary_dim/2]";
      about.convention = "entry [pair] is the number of turns per position";
    }
  }
  return about;
}

class rope_numbers : public grid_table {
 public:
  rope_numbers(const array_grid& grid, const model::model& model, const input::position_list& positions)
      : grid_table(description_of(grid, positions), grid, rotary_content{grid.layout(), model, positions}) {}

  void put(input::json& record) const override {
    put_layout(record);
    if (has_positions(grid().layout())) record["positions"] = positions().text();
    record["model"] = model::model_record(model_);
  }

  std::unique_ptr<table_rows> make_rows(table_dtype dtype) const override {
    return visit_member<table_kind::ggml_factors>(grid().layout().kind,
                                                  [&](auto kind) { return rows_of(kind, dtype); });
  }

  std::vector<std::string> row_of_digits(std::int64_t row, int digits) const override {
    return visit_member<table_kind::ggml_factors>(grid().layout().kind,
                                                  [&](auto kind) { return digits_of(kind, row, digits); });
  }

 private:
  using rows = std::unique_ptr<table_rows>;
  using texts = std::vector<std::string>;

  rows rows_of(member<table_kind::inv_freq>, table_dtype dtype) const {
    return in_format(dtype, [&]<class Float>() -> rows {
      return std::make_unique<whole_rows<bits_of<Float>>>(inv_freqs<Float>(model_.encoding));
    });
  }
  rows rows_of(member<table_kind::turns>, table_dtype) const {
    return std::make_unique<whole_rows<turn_fraction<turn_words>>>(
        turn_fractions<turn_words>(model_.encoding), turn_words);
  }
  rows rows_of(member<table_kind::cos>, table_dtype dtype) const { return cos_sin_rows_of(dtype); }
  rows rows_of(member<table_kind::sin>, table_dtype dtype) const { return cos_sin_rows_of(dtype); }
  rows rows_of(member<table_kind::cos_sin>, table_dtype dtype) const { return cos_sin_rows_of(dtype); }
  rows rows_of(member<table_kind::ggml_factors>, table_dtype dtype) const {
    return in_format(dtype, [&]<class Float>() -> rows {
      return std::make_unique<whole_rows<bits_of<Float>>>(frequency_divisors<Float>(model_.encoding));
    });
  }

  rows cos_sin_rows_of(table_dtype dtype) const {
    return in_format(dtype, [&]<class Float>() -> rows {
      return std::make_unique<cos_sin_rows<Float>>(grid(), model_.encoding, positions());
    });
  }

  texts digits_of(member<table_kind::inv_freq>, std::int64_t pair, int digits) const {
    return {reference::rope_inv_freq_digits(static_cast<int>(pair), model_.encoding, digits)};
  }
  texts digits_of(member<table_kind::turns>, std::int64_t pair, int digits) const {
    return {reference::rope_turns_digits(static_cast<int>(pair), model_.encoding, digits)};
  }
  texts digits_of(member<table_kind::cos>, std::int64_t row, int digits) const {
    return cos_sin_digits(row, digits);
  }
  texts digits_of(member<table_kind::sin>, std::int64_t row, int digits) const {
    return cos_sin_digits(row, digits);
  }
  texts digits_of(member<table_kind::cos_sin>, std::int64_t row, int digits) const {
    return cos_sin_digits(row, digits);
  }
  texts digits_of(member<table_kind::ggml_factors>, std::int64_t pair, int digits) const {
    return {reference::rope_frequency_divisor_digits(static_cast<int>(pair), model_.encoding, digits)
                .value_or(std::string(infinite_digits))};
  }

  coordinates position_at(std::int64_t position_row) const override {
    return {{"position", positions().text_at(position_row)}};
  }

  std::string digits_at(const array_place& place, int digits) const override {
    const auto written = [&](auto position) {
      return place.is_sin ? reference::rope_sin_digits(position, place.pair, model_.encoding, digits)
                          : reference::rope_cos_digits(position, place.pair, model_.encoding, digits);
    };
    return positions().is_real() ? written(positions().real_at(place.position_row))
                                 : written(positions().at(place.position_row));
  }

  const input::position_list& positions() const {
    return std::get<rotary_content>(content()).positions.listed();
  }

  const model::model& model_ = std::get<rotary_content>(content()).model;
};

}  // namespace

std::unique_ptr<table> rope_table_of(const array_layout& layout, const model::model& model,
                                     const input::position_list& positions) {
  const array_grid grid(layout, pair_count(model.encoding), positions.size());
  return std::make_unique<rope_numbers>(grid, model, positions);
}

}  // namespace ropewalk::tables
