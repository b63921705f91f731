// Tables of rotary numbers: frequencies, turns, cosines and sines, ggml's divisors.

#include <algorithm>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>

#include "export/array_layout.hpp"
#include "export/promise_search.hpp"
#include "export/recipe_search.hpp"
#include "export/rope_array_laws.hpp"
#include "export/rows_in_order.hpp"
#include "export/tables.hpp"
#include "kernel/run_time_table.hpp"
#include "model/record.hpp"
#include "ropewalk/reference/frequency_divisor_digits.hpp"
#include "ropewalk/reference/rope_digits.hpp"
#include "ropewalk/table/frequency_divisors.hpp"
#include "ropewalk/table/inv_freq_table.hpp"
#include "ropewalk/table/turns_table.hpp"

namespace ropewalk::output {
namespace {

template <floating_format Float>
class cos_sin_rows : public table_rows {
 public:
  cos_sin_rows(const array_grid& grid, const rope& config, const input::position_list& positions)
      : table_rows(grid.rows(), grid.columns(), sizeof(bits_of<Float>)),
        grid_(grid),
        table_(config),
        positions_(positions) {}

  void fill(std::int64_t first, std::int64_t count, std::byte* out) const override {
    for (std::int64_t done = 0; done < count;) {
      // Consecutive rows are consecutive positions of the list, up to the end of a plane.
      const std::int64_t position_row = grid_.at(first + done, 0).position_row;
      const std::int64_t part = std::min(count - done, positions_.size() - position_row);
      fill_part(first + done, position_row, part, out + static_cast<std::size_t>(done) * row_bytes());
      done += part;
    }
  }

 private:
  using bits = std::vector<bits_of<Float>>;

  void fill_part(std::int64_t row, std::int64_t position_row, std::int64_t count, std::byte* out) const {
    const auto pairs = static_cast<std::size_t>(grid_.pairs());
    bits cos(static_cast<std::size_t>(count) * pairs), sin(cos.size());
    evaluate(position_row, count, cos, sin);
    std::vector<array_place> places;
    for (std::int64_t column = 0; column < columns(); ++column) places.push_back(grid_.at(row, column));
    for (std::size_t at = 0; at < cos.size(); at += pairs)
      for (const array_place& place : places) {
        const auto& entry = (place.is_sin ? sin : cos)[at + static_cast<std::size_t>(place.pair)];
        std::memcpy(out, &entry, sizeof entry);
        out += sizeof entry;
      }
  }

  void evaluate(std::int64_t first, std::int64_t count, bits& cos, bits& sin) const {
    if (!positions_.is_real() && !positions_.is_listed) {
      const position_range run{positions_.at(first), positions_.at(first) + count};
      add_decided(table_.template fill<Float>(run, cos.data(), sin.data()));
      return;
    }
    const auto pairs = static_cast<std::size_t>(grid_.pairs());
    for (std::int64_t i = 0; i < count; ++i) {
      const std::size_t at = static_cast<std::size_t>(i) * pairs;
      if (positions_.is_real())
        table_.exact().template row<Float>(positions_.real_at(first + i), false, cos.data() + at,
                                           sin.data() + at);
      else
        table_.exact().template row<Float>(positions_.at(first + i), false, cos.data() + at, sin.data() + at);
    }
  }

  array_grid grid_;
  run_time_table table_;
  input::position_list positions_;
};

std::string duplication_text(pairing layout) {
  return layout == pairing::half_split
             ? "half-split: channel c holds pair c mod rotary_dim/2, torch.cat((f, f), -1)"
             : "interleaved: channel c holds pair floor(c / 2), torch.repeat_interleave(f, 2, -1)";
}

table_elements elements_of(const array_layout& form) {
  if (form.kind == table_kind::turns) return table_elements::turns;
  return is_complex(form) ? table_elements::complex : table_elements::real;
}

table_description description_of(const array_grid& grid, const input::position_list& positions) {
  const array_layout& form = grid.layout();
  table_description about = described(form.kind);
  about.elements = elements_of(form);
  about.shape = grid.shape();
  about.rows = grid.rows();
  about.columns = grid.columns();
  about.rows_a_piece = rows_a_piece(about.columns, positions);
  if (form.kind == table_kind::cos_sin) {
    const cos_sin_layout_text& layout = text_of(form.arrangement);
    about.axes = layout.shape;
    about.convention += "; " + std::string(layout.convention);
  }
  if (form.kind == table_kind::turns) {
    about.rounding = "to nearest from the exact value";
    if (form.is_in_digits) {
      about.axes = "[rotary_dim/2]";
      about.convention = "entry [pair] is the number of turns per position";
    }
  }
  return about;
}

class rope_numbers : public table {
 public:
  rope_numbers(const array_grid& grid, model::model model, input::position_list positions)
      : table(description_of(grid, positions)),
        grid_(grid),
        model_(std::move(model)),
        positions_(std::move(positions)) {}

  coordinates row_at(std::int64_t row) const override {
    const array_place place = grid_.at(row, 0);
    if (!has_positions(grid_.layout())) return {{"pair", std::to_string(place.pair)}};
    const coordinate position{"position", positions_.text_at(place.position_row)};
    if (!grid_.has_planes()) return {position};
    return {{"plane", place.is_sin ? "1" : "0"}, position};
  }

  std::string column_name(std::int64_t column) const override { return grid_.column_name(column); }

  coordinates entry_at(std::int64_t row, std::int64_t column) const override {
    const array_place place = grid_.at(row, column);
    const coordinate pair{"pair", std::to_string(place.pair)};
    if (!has_positions(grid_.layout())) return {pair};
    const coordinate position{"position", positions_.text_at(place.position_row)};
    if (grid_.layout().kind != table_kind::cos_sin) return {position, pair};
    return {position, pair, {"of", place.is_sin ? "sin" : "cos", true}};
  }

  /// Orders rows by position: each plane begins again with the first position.
  std::int64_t order_of(std::int64_t row) const override { return grid_.at(row, 0).position_row; }

  void put(input::json& record) const override {
    const array_layout& form = grid_.layout();
    if (form.kind == table_kind::cos_sin) {
      record["layout"] = text_of(form.arrangement).name;
      if (grid_.has_planes()) record["duplication"] = duplication_text(form.duplicated);
    }
    if (has_positions(form)) record["positions"] = positions_.text();
    record["model"] = model::model_record(model_);
  }

  std::unique_ptr<table_rows> make_rows(table_dtype dtype) const override {
    return visit_member<table_kind::ggml_factors>(grid_.layout().kind,
                                                  [&](auto kind) { return rows_of(kind, dtype); });
  }

  std::vector<std::string> row_of_digits(std::int64_t row, int digits) const override {
    return visit_member<table_kind::ggml_factors>(grid_.layout().kind,
                                                  [&](auto kind) { return digits_of(kind, row, digits); });
  }

  std::unique_ptr<recipe_watch> watch_recipes(table_dtype dtype) const override {
    const bool has_recipes = grid_.layout().kind == table_kind::inv_freq ||
                             (has_positions(grid_.layout()) && !positions_.is_real());
    if (!has_recipes) return nullptr;
    return std::make_unique<recipe_search>(grid_, dtype, model_.encoding, positions_);
  }

  bool has_promises() const override {
    return grid_.layout().kind == table_kind::inv_freq ||
           (has_positions(grid_.layout()) && !positions_.is_real());
  }

  std::optional<rotary_content> rotary() const override {
    return rotary_content{grid_.layout(), model_, positions_};
  }

  std::vector<array_law> array_laws(table_dtype dtype, const promise& asked) const override {
    return rope_array_laws(grid_, dtype, model_.encoding, positions_, asked);
  }

  std::unique_ptr<promise_watch> watch_promises(table_dtype dtype, const promise& asked) const override {
    if (!has_promises()) return nullptr;
    return std::make_unique<promise_search>(*this, grid_, dtype, model_.encoding, positions_, asked);
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
      return std::make_unique<cos_sin_rows<Float>>(grid_, model_.encoding, positions_);
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

  std::vector<std::string> cos_sin_digits(std::int64_t row, int digits) const {
    std::vector<std::string> cos(static_cast<std::size_t>(grid_.pairs())), sin(cos.size());
    std::vector<std::string> made;
    for (std::int64_t column = 0; column < grid_.columns(); ++column) {
      const array_place place = grid_.at(row, column);  // a pair may occur twice: evaluated once
      std::string& text = (place.is_sin ? sin : cos)[static_cast<std::size_t>(place.pair)];
      if (text.empty()) text = digits_at(place, digits);
      made.push_back(text);
    }
    return made;
  }

  std::string digits_at(const array_place& place, int digits) const {
    const auto written = [&](auto position) {
      return place.is_sin ? reference::rope_sin_digits(position, place.pair, model_.encoding, digits)
                          : reference::rope_cos_digits(position, place.pair, model_.encoding, digits);
    };
    return positions_.is_real() ? written(positions_.real_at(place.position_row))
                                : written(positions_.at(place.position_row));
  }

  array_grid grid_;
  model::model model_;
  input::position_list positions_;
};

}  // namespace

std::unique_ptr<table> rope_table_of(const array_layout& layout, model::model model,
                                     input::position_list positions) {
  const array_grid grid(layout, pair_count(model.encoding), positions.size());
  return std::make_unique<rope_numbers>(grid, std::move(model), std::move(positions));
}

}  // namespace ropewalk::output
