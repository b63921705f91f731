// Tables of rotary numbers: frequencies, turns, cosines and sines, ggml's divisors.

#include <algorithm>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>

#include "command/chunks.hpp"
#include "command/compare_recipes.hpp"
#include "command/record.hpp"
#include "command/table_contents.hpp"
#include "command/table_form.hpp"
#include "command/which.hpp"
#include "input/bad_input.hpp"
#include "kernel/run_time_table.hpp"
#include "ropewalk/reference/frequency_divisor_digits.hpp"
#include "ropewalk/reference/rope_digits.hpp"
#include "ropewalk/table/frequency_divisors.hpp"
#include "ropewalk/table/inv_freq_table.hpp"
#include "ropewalk/table/turns_table.hpp"

namespace ropewalk::command {
namespace {

template <floating_format Float>
class cos_sin_rows : public table_rows {
 public:
  cos_sin_rows(const table_grid& grid, const rope& config, const input::position_list& positions)
      : table_rows(grid.rows(), grid.columns(), sizeof(bits_of<Float>)),
        grid_(grid),
        table_(config),
        positions_(positions) {}

  void fill(std::int64_t first, std::int64_t count, std::byte* out) const override {
    for (std::int64_t done = 0; done < count;) {
      // Rows of an array are rows of the list of positions in order, up to the end of a plane.
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
    std::vector<table_place> places;
    for (std::int64_t column = 0; column < columns(); ++column) places.push_back(grid_.at(row, column));
    for (std::size_t at = 0; at < cos.size(); at += pairs)
      for (const table_place& place : places) {
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

  table_grid grid_;
  run_time_table table_;
  input::position_list positions_;
};

std::string duplication_text(pairing layout) {
  return layout == pairing::half_split
             ? "half-split: channel c holds pair c mod rotary_dim/2, torch.cat((f, f), -1)"
             : "interleaved: channel c holds pair floor(c / 2), torch.repeat_interleave(f, 2, -1)";
}

table_elements elements_of(const table_form& form) {
  if (form.kind == table_kind::turns) return table_elements::turns;
  return is_complex(form) ? table_elements::complex : table_elements::real;
}

table_description description_of(const table_grid& grid, const input::position_list& positions) {
  const table_form& form = grid.form();
  table_description about = described(form.kind);
  about.elements = elements_of(form);
  about.shape = grid.shape();
  about.rows = grid.rows();
  about.columns = grid.columns();
  about.rows_a_piece = rows_a_piece(about.columns, positions);
  if (form.kind == table_kind::cos_sin) {
    const cos_sin_layout_text& layout = text_of(form.layout);
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

class rope_content : public table_content {
 public:
  rope_content(const table_grid& grid, model::model model, input::position_list positions)
      : table_content(description_of(grid, positions)),
        grid_(grid),
        model_(std::move(model)),
        positions_(std::move(positions)) {}

  coordinates row_at(std::int64_t row) const override {
    const table_place place = grid_.at(row, 0);
    if (!has_positions(grid_.form())) return {{"pair", std::to_string(place.pair)}};
    const coordinate position{"position", positions_.text_at(place.position_row)};
    if (!grid_.has_planes()) return {position};
    return {{"plane", place.is_sin ? "1" : "0"}, position};
  }

  std::string column_name(std::int64_t column) const override { return grid_.column_name(column); }

  coordinates entry_at(std::int64_t row, std::int64_t column) const override {
    const table_place place = grid_.at(row, column);
    const coordinate pair{"pair", std::to_string(place.pair)};
    if (!has_positions(grid_.form())) return {pair};
    const coordinate position{"position", positions_.text_at(place.position_row)};
    if (grid_.form().kind != table_kind::cos_sin) return {position, pair};
    return {position, pair, {"of", place.is_sin ? "sin" : "cos", true}};
  }

  /// A second plane begins with the first position again.
  std::int64_t order_of(std::int64_t row) const override { return grid_.at(row, 0).position_row; }

  void put(input::json& record) const override {
    const table_form& form = grid_.form();
    if (form.kind == table_kind::cos_sin) {
      record["layout"] = text_of(form.layout).name;
      if (grid_.has_planes()) record["duplication"] = duplication_text(form.duplicated);
    }
    if (has_positions(form)) record["positions"] = positions_.text();
    record["model"] = model_record(model_);
  }

  std::unique_ptr<table_rows> make_rows(table_dtype dtype) const override {
    const rope& config = model_.encoding;
    if (grid_.form().kind == table_kind::turns)
      return std::make_unique<whole_rows<turn_fraction<turn_words>>>(turn_fractions<turn_words>(config),
                                                                     turn_words);
    return in_format(dtype, [&]<class Float>() -> std::unique_ptr<table_rows> {
      switch (grid_.form().kind) {
        case table_kind::inv_freq:
          return std::make_unique<whole_rows<bits_of<Float>>>(inv_freqs<Float>(config));
        case table_kind::ggml_factors:
          return std::make_unique<whole_rows<bits_of<Float>>>(frequency_divisors<Float>(config));
        default: return std::make_unique<cos_sin_rows<Float>>(grid_, config, positions_);
      }
    });
  }

  std::vector<std::string> row_of_digits(std::int64_t row, int digits) const override {
    const int pair = grid_.at(row, 0).pair;
    switch (grid_.form().kind) {
      case table_kind::inv_freq: return {reference::rope_inv_freq_digits(pair, model_.encoding, digits)};
      case table_kind::turns: return {reference::rope_turns_digits(pair, model_.encoding, digits)};
      case table_kind::ggml_factors:
        return {reference::rope_frequency_divisor_digits(pair, model_.encoding, digits)
                    .value_or(std::string(infinite_digits))};
      default: return cos_sin_digits(row, digits);
    }
  }

  std::unique_ptr<recipe_watch> watch_recipes(table_dtype dtype) const override {
    const bool has_recipes =
        grid_.form().kind == table_kind::inv_freq || (has_positions(grid_.form()) && !positions_.is_real());
    if (!has_recipes) return nullptr;
    return std::make_unique<recipe_search>(grid_, dtype, model_.encoding, positions_);
  }

 private:
  std::vector<std::string> cos_sin_digits(std::int64_t row, int digits) const {
    std::vector<std::string> cos(static_cast<std::size_t>(grid_.pairs())), sin(cos.size());
    std::vector<std::string> made;
    for (std::int64_t column = 0; column < grid_.columns(); ++column) {
      const table_place place = grid_.at(row, column);  // some stand twice
      std::string& text = (place.is_sin ? sin : cos)[static_cast<std::size_t>(place.pair)];
      if (text.empty()) text = digits_at(place, digits);
      made.push_back(text);
    }
    return made;
  }

  std::string digits_at(const table_place& place, int digits) const {
    const auto written = [&](auto position) {
      return place.is_sin ? reference::rope_sin_digits(position, place.pair, model_.encoding, digits)
                          : reference::rope_cos_digits(position, place.pair, model_.encoding, digits);
    };
    return positions_.is_real() ? written(positions_.real_at(place.position_row))
                                : written(positions_.at(place.position_row));
  }

  table_grid grid_;
  model::model model_;
  input::position_list positions_;
};

cos_sin_layout layout_from(const std::string& name) {
  for (const cos_sin_layout_text& text : cos_sin_layouts)
    if (text.name == name) return text.layout;
  throw bad_input("layout", name.empty() ? "missing" : name, listed_names(cos_sin_layouts) + " for cos-sin");
}

}  // namespace

std::unique_ptr<table_content> make_rope_table(const table_options& options, table_kind kind,
                                               session& session) {
  table_form form{.kind = kind, .is_in_digits = !options.digits.empty()};
  if (kind == table_kind::cos_sin) form.layout = layout_from(typed(options, "--layout"));
  model::model model = chosen_model(options.which);
  form.duplicated = model.doubled;
  input::position_list positions = chosen_positions(options.where, model.max_position_embeddings);
  model = at_seq_len(std::move(model), options.which.seq_len,
                     {positions.smallest_seq_len(), "the largest position + 1"});
  tell(model, session);
  const table_grid grid(form, pair_count(model.encoding), positions.size());
  return std::make_unique<rope_content>(grid, std::move(model), std::move(positions));
}

}  // namespace ropewalk::command
