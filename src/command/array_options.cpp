#include "command/array_options.hpp"
#include "array/table_promises.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <span>
#include <system_error>
#include <utility>

#include "array/comparison.hpp"
#include "command/make_table.hpp"
#include "command/recorded_array.hpp"
#include "command/shell_words.hpp"
#include "input/layered_arrays.hpp"
#include "input/positions.hpp"
#include "model/layers.hpp"
#include "output/decimal.hpp"

namespace ropewalk::command {
namespace {

using tables::table_kind;

/// The value of an option that is given once for all arrays, or once for each.
const std::string& value_for(const char* option, const std::vector<std::string>& values, std::size_t array,
                             std::size_t arrays) {
  static const std::string none;
  if (values.empty()) return none;
  if (values.size() == 1) return values.front();
  if (values.size() != arrays)
    throw bad_input(option, fmt::format("given {} times", values.size()),
                    fmt::format("once, or once for each of {} --table", arrays));
  return values[array];
}

/// The encoding of a table, as results name it.
std::string subject_of(const tables::table& content) {
  input::json record;
  content.put(record);
  const auto named = [&](const char* name) -> std::optional<input::json> {
    const auto part = record.find(name);
    return part == record.end() ? std::nullopt : std::optional<input::json>(*part);
  };
  if (const auto model = named("model")) {
    std::string name = (*model)["name"].get<std::string>();
    if (model->contains("layer_type")) name += "/" + (*model)["layer_type"].get<std::string>();
    return name;
  }
  if (const auto encoding = named("encoding")) return (*encoding)["name"].get<std::string>();
  return content.about().name;
}

/// Whether a format has a whole number: its significant bits, and the largest number.
bool has_number(tables::table_dtype dtype, std::int64_t number) {
  return tables::in_format(dtype, [&]<class Float>() {
    const auto whole = static_cast<double>(number);  // exact: of 32 bits
    return output::to_double<Float>(convert<Float, double>(to_bits(whole))) == whole;
  });
}

/// Refuses an array of whole positions in a format in which some of them fall together.
///
/// domain  a table of whole numbers, [axes, tokens]
void require_numbers(const tables::table& whole, tables::table_dtype dtype, const std::string& place) {
  const auto rows = whole.make_rows(tables::table_dtype::i32);
  std::vector<std::int32_t> row(static_cast<std::size_t>(rows->columns()));
  for (std::int64_t axis = 0; axis < rows->rows(); ++axis) {
    rows->fill(axis, 1, reinterpret_cast<std::byte*>(row.data()));
    for (std::size_t token = 0; token < row.size(); ++token)
      if (!has_number(dtype, row[token]))
        throw bad_input(
            "table", fmt::format("{} ({})", place, tables::text_of(dtype).name),
            fmt::format("a format that has {}, the position of axis {}, token {}", row[token], axis, token));
  }
}

/// The grid of a class that has the table of one picture, as --grid takes it; empty for every other one.
std::string own_grid_of(const which_options& which) {
  if (which.configs.size() + which.models.size() != 1) return {};
  which_options any_map = which;
  any_map.map.reset();
  const std::vector<grid::sizes> own = chosen_model(any_map).grid_numbers.own;
  return own.empty() ? "" : fmt::format("{}x{}", own.front().height, own.front().width);
}

/// Tables that were made, so that layers which take the same one share it.
class table_maker {
 public:
  explicit table_maker(session& session) : session_(session) {}

  std::shared_ptr<const tables::table> made(const table_options& options, table_kind kind) {
    std::string key = std::to_string(static_cast<int>(kind)) + options.which.layer + "\n" +
                      options.where.positions + "\n" + options.where.real_positions + "\n" + options.dtype;
    for (const auto& [option, text] : options.own) key += "\n" + text;
    auto& slot = made_[key];
    if (!slot) slot = std::move(make_tables(options, std::span(&kind, 1), session_).front());
    return slot;
  }

 private:
  session& session_;
  std::map<std::string, std::shared_ptr<const tables::table>> made_;
};

/// The options that name an array's table on a command line.
std::string options_text(const input::array_location& place, const table_options& options,
                         const std::string& positions) {
  std::string text = "--table " + shell_quoted(place.text()) + " --as " + options.kind;
  const auto add = [&](std::string_view option, const std::string& value) {
    if (!value.empty()) text += " " + std::string(option) + " " + shell_quoted(value);
  };
  const std::string which = command_text(options.which);
  if (!which.empty()) text += " " + which;
  add("--positions", positions);
  add("--positions-f64", options.where.real_positions);
  for (const auto& [option, value] : options.own)
    if (value == flag_is_given)
      text += " " + std::string(option);
    else
      add(option, value);
  return text;
}

class array_chooser {
 public:
  array_chooser(const array_options& options, const which_options& which, const std::string& positions,
                const std::vector<std::string>& dtypes, const named_promise& promised, session& session)
      : options_(options),
        dtypes_(dtypes),
        promised_(promised.value),
        promise_text_(promised.text),
        tables_(session) {
    common_ = options.table;
    common_.which = which;
    common_.where.positions = positions;
    if (!positions.empty() && !common_.where.real_positions.empty())
      throw bad_input("positions-f64", common_.where.real_positions, "only without --positions " + positions);
  }

  chosen_arrays all() {
    const std::size_t count = options_.tables.size();
    for (std::size_t i = 0; i < count; ++i) {
      table_options table = common_;
      table.kind = value_for("as", options_.kinds, i, count);
      table.own["--layout"] = value_for("layout", options_.layouts, i, count);
      if (input::names_layers(options_.tables[i])) {
        if (table.kind.empty()) table.kind = kind_by_name(options_.tables[i]);
        kind_ = kind_from("as", table.kind);
        add_layers(options_.tables[i], std::move(table));
        continue;
      }
      for (const input::array_location& place : input::array_locations("table", options_.tables[i]))
        add_by_record(place, table);
    }
    return std::move(chosen_);
  }

 private:
  /// Adds an array; what is not typed is as its record or its name says.
  void add_by_record(const input::array_location& place, table_options table) {
    const recorded_array recorded = recorded_of(place);
    if (table.kind.empty()) table.kind = kind_by_name(recorded.name);
    if (table.kind.empty()) table.kind = kind_by_name(place.text());
    if (table.where.positions.empty() && table.where.real_positions.empty())
      table.where.positions = recorded.positions;
    kind_ = kind_from("as", table.kind);
    const bool is_of_model = !table.which.configs.empty() || !table.which.models.empty();
    if (is_of_model && table.which.layer.empty() && tables::is_of_rope(kind_))
      table.which.layer = recorded.layer;
    if (std::string& axis = table.own["--axis"]; is_of_model && axis.empty()) axis = recorded.axis;
    add(place, std::move(table));
  }

  void add(const input::array_location& place, table_options table) {
    std::error_code unknown;
    if (place.path == "-" || std::filesystem::is_fifo(place.path, unknown))
      throw bad_input("table", place.text(),
                      "a file: its array is read twice, standard input and pipes once");
    const input::array_file file("table", place);
    if (takes_model(kind_) && table.which.tokens.grid.empty() && table.where.positions.empty() &&
        table.where.real_positions.empty() && table.own["--axis"].empty())
      table.which.tokens.grid = own_grid_of(table.which);
    const std::string options = options_text(place, table, table.where.positions);
    take_from_shape(table, kind_, file.header().shape);
    if (kind_ == table_kind::positions) table.dtype = format_of(file);
    verify::given_array array;
    array.place = place;
    array.content = tables_.made(table, kind_);
    array.dtype = array::dtype_of_file(file, array.content->about().elements, "");
    if (!table.dtype.empty() && kind_ == table_kind::positions) {
      table.dtype.clear();
      if (const auto whole = tables_.made(table, kind_);
          whole->about().elements == tables::table_elements::whole)
        require_numbers(*whole, array.dtype, place.text());
    }
    const std::string dtype(tables::text_of(array.dtype).name);
    if (!dtypes_.empty() && std::find(dtypes_.begin(), dtypes_.end(), dtype) == dtypes_.end())
      throw bad_input("dtype", dtypes_.front(), dtype + ", as " + printable(place.text()) + " holds");
    array.subject = subject_of(*array.content);
    array.options = options;
    if (!promises_bits(promised_) && !array::has_promises(*array.content))
      throw bad_input("promise", promise_text_,
                      "none for " + array.content->about().name + ": correct rounding alone");
    array.promised = array::promise_of_entries(*array.content, promised_, promise_text_);
    chosen_.arrays.push_back(std::move(array));
  }

  /// Adds the arrays of layers, each with the table of its kind of layer.
  void add_layers(const std::string& text, table_options table) {
    if (!tables::is_of_rope(kind_))
      throw bad_input("table", text, "{layer} with kinds of a model's rotary numbers");
    if (!table.which.layer.empty())
      throw bad_input("layer", table.which.layer, "none with {layer}: the configuration says it");
    const model::model model = chosen_model(table.which);
    const model::layer_plan plan = model::plan_of(model);
    if (plan.layers.empty() && !model.layer_type.empty())
      throw bad_input(
          "layer_types", "missing",
          "the kind of each layer, or num_hidden_layers: " + model.name + " has layers of two kinds");
    const auto layers = static_cast<std::int64_t>(plan.layers.size());
    std::vector<bool> is_there(plan.layers.size());
    for (const input::layered_array& array : input::layered_arrays("table", text)) {
      if (layers > 0 && array.layer >= layers)
        throw bad_input("table", array.place.text(),
                        fmt::format("layers 0 to {}: {} has {}", layers - 1, model.name, layers));
      if (layers > 0) {
        const auto layer = static_cast<std::size_t>(array.layer);
        is_there[layer] = true;
        if (plan.layers[layer].table < 0) {
          if (!is_without_rotation(array.place))
            chosen_.missing.push_back(
                fmt::format("layer {} of {} does not rotate ({}): {} has other numbers than 0 and 1", layer,
                            model.name, plan.layers[layer].kind, array.place.text()));
          continue;
        }
        table.which.layer = plan.layers[layer].kind;
      }
      add(array.place, table);
    }
    for (std::size_t layer = 0; layer < is_there.size(); ++layer)
      if (!is_there[layer] && plan.layers[layer].table >= 0)
        chosen_.missing.push_back(fmt::format("layer {} of {}: no array for {}", layer, model.name, text));
  }

  const array_options& options_;
  const std::vector<std::string>& dtypes_;
  promise promised_;
  std::string promise_text_;
  table_options common_;
  table_kind kind_{};
  table_maker tables_;
  chosen_arrays chosen_;
};

}  // namespace

chosen_arrays arrays_from(const array_options& options, const which_options& which,
                          const std::string& positions, const std::vector<std::string>& dtypes,
                          const named_promise& promised, session& session) {
  return array_chooser(options, which, positions, dtypes, promised, session).all();
}

}  // namespace ropewalk::command
