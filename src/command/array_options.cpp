#include "command/array_options.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <exception>
#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <span>
#include <system_error>
#include <utility>

#include "array/comparison.hpp"
#include "array/table_promises.hpp"
#include "command/make_table.hpp"
#include "command/parser.hpp"
#include "command/shell_words.hpp"
#include "input/json_text.hpp"
#include "input/layered_arrays.hpp"
#include "input/positions.hpp"
#include "input/unknown_name.hpp"
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

/// Number of axes of a table.
std::size_t axes_of(table_kind kind, const std::string& layout) {
  using enum table_kind;
  for (const table_kind one : {inv_freq, ggml_factors, alibi_slopes, t5_buckets})
    if (kind == one) return 1;
  const bool holds_both = kind == cos_sin || kind == xpos || kind == axes || kind == mixed;
  const std::size_t of_heads = kind == alibi_bias || kind == mixed ? 1 : 0;
  return 2 + of_heads + (holds_both && layout == "hf" ? 1 : 0);
}

/// What `ropewalk table` recorded of an array; empty where it did not.
struct recorded_array {
  std::string name;  // of the kind, as arrays are named
  std::string positions;
  std::string layer;  // the kind of layers, in a file with a table for each
  std::string axis;   // that it is of alone
};

recorded_array recorded_of(const input::array_location& place) {
  try {
    const input::json record = input::object_of(input::record_of_arrays(place.path));
    if (!record.value("written_by", "").starts_with("ropewalk ")) return {};
    recorded_array r{record.value("array", ""), record.value("positions", ""), "", record.value("axis", "")};
    if (const auto arrays = record.find("arrays"); place.name && arrays != record.end()) {
      const input::json each = arrays->is_string() ? input::object_of(arrays->get<std::string>()) : *arrays;
      const input::json& one = each.at(*place.name);
      r.name = one.value("array", r.name);
      r.positions = one.value("positions", r.positions);
      r.axis = one.value("axis", r.axis);
      if (one.contains("layers")) r.layer = one.at("model").value("layer_type", "");
    }
    if (!input::looks_like_numbers(r.positions)) r.positions.clear();  // a list in another file
    return r;
  } catch (const std::exception&) {
    return {};  // another program's
  }
}

/// The kind that an array's name says, as engines name it: "model.layers.0.inv_freq", "cos_cached.npy"; empty
/// where it says none.
std::string kind_by_name(const std::string& place) {
  std::string name =
      place.substr(place.rfind('#') == place.npos ? place.rfind('/') + 1 : place.rfind('#') + 1);
  if (place.find('#') == place.npos) name = name.substr(0, name.rfind('.'));
  name = name.substr(name.rfind('.') + 1);
  std::replace(name.begin(), name.end(), '_', '-');
  for (const std::string_view ending : {"-cached", "-cache"})
    if (name.ends_with(ending)) name.resize(name.size() - ending.size());
  const std::vector<std::string> known = input::names_in(tables::table_kinds);
  return std::find(known.begin(), known.end(), name) == known.end() ? "" : name;
}

/// Options that the shape of an array answers, where they are not typed.
void take_from_shape(table_options& options, table_kind kind, std::vector<std::int64_t> shape) {
  shape = without_ones(std::move(shape), axes_of(kind, typed(options, "--layout")));
  const auto take = [&](std::string_view option, std::size_t axis) {
    std::string& text = options.own[option];
    if (text.empty() && axis < shape.size()) text = std::to_string(shape[axis]);
  };
  const auto take_positions = [&](std::size_t axis) {
    const bool is_typed = !options.where.positions.empty() || !options.where.real_positions.empty() ||
                          !options.which.grid.empty();  // which says where tokens stand
    if (!is_typed && axis < shape.size() && shape[axis] > 0)
      options.where.positions = std::to_string(shape[axis]);
  };
  using enum table_kind;
  if (kind == cos || kind == sin) take_positions(0);
  if (kind == cos_sin || kind == xpos) take_positions(axes_of(kind, typed(options, "--layout")) - 2);
  for (const table_kind one : {sinusoidal, integer, normalised, binary, sine_only, learned})
    if (kind == one) take_positions(0);
  if (kind == query_scale && shape.size() == 1) take_positions(0);
  if (kind == sinusoidal) take("--d-model", 1);
  if (kind == binary || kind == sine_only) take("--width", 1);
  if (kind == alibi_slopes || kind == alibi_bias) take("--heads", 0);
  if (kind == alibi_bias) take("--queries", 1), take("--keys", 2);
  if (kind == t5_buckets && options.own["--max-relative"].empty() && shape.size() == 1 && shape[0] % 2 == 1)
    options.own["--max-relative"] = std::to_string((shape[0] - 1) / 2);
}

/// The encoding of a table, as results name it.
std::string subject_of(const tables::table& content) {
  input::json record;
  content.put(record);
  const auto named = [&](const char* part) -> std::optional<input::json> {
    const auto found = record.find(part);
    return found == record.end() ? std::nullopt : std::optional<input::json>(*found);
  };
  if (const auto model = named("model")) {
    std::string name = (*model)["name"].get<std::string>();
    if (model->contains("layer_type")) name += "/" + (*model)["layer_type"].get<std::string>();
    return name;
  }
  if (const auto encoding = named("encoding")) return (*encoding)["name"].get<std::string>();
  return content.about().name;
}

/// Whether an array holds nothing but zeros and ones: the sines and cosines of a layer that does not rotate.
bool is_of_no_rotation(const input::array_location& place) {
  input::array_file file("table", place);
  const npy_dtype dtype = file.header().dtype;
  const int parts = dtype == npy_dtype::c64 || dtype == npy_dtype::c128 ? 2 : 1;  // of a complex number
  const std::size_t size = size_of(dtype) / static_cast<std::size_t>(parts);
  constexpr std::uint64_t ones[] = {0x3ff0000000000000, 0x3f800000, 0x3f80,
                                    0x3c00};  // binary64, 32, bfloat16, 16
  for (std::int64_t left = parts * element_count(file.header()); left > 0; --left) {
    std::uint64_t bits = 0;
    file.read({reinterpret_cast<std::byte*>(&bits), size});
    if (bits != 0 && std::find(std::begin(ones), std::end(ones), bits) == std::end(ones)) return false;
  }
  return true;
}

/// The name of the format of an array's real numbers; empty where it holds others.
std::string format_of(const input::array_file& file) {
  for (const tables::table_dtype_text& text : tables::table_dtypes)
    if (tables::has_dtype(tables::table_elements::real, text.dtype) &&
        tables::array_dtype(tables::table_elements::real, text.dtype) == file.header().dtype)
      return std::string(text.name);
  return {};
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
  which_options of_any_map = which;
  of_any_map.map.reset();
  const std::vector<grid::sizes> own = chosen_model(of_any_map).grid_numbers.own;
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
    if (value == "given")
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
    base_ = options.of;
    base_.which = which;
    base_.where.positions = positions;
    if (!positions.empty() && !base_.where.real_positions.empty())
      throw bad_input("positions-f64", base_.where.real_positions, "only without --positions " + positions);
  }

  chosen_arrays all() {
    const std::size_t count = options_.tables.size();
    for (std::size_t i = 0; i < count; ++i) {
      table_options of = base_;
      of.kind = value_for("as", options_.kinds, i, count);
      of.own["--layout"] = value_for("layout", options_.layouts, i, count);
      if (input::names_layers(options_.tables[i])) {
        if (of.kind.empty()) of.kind = kind_by_name(options_.tables[i]);
        kind_ = kind_from("as", of.kind);
        add_layers(options_.tables[i], std::move(of));
        continue;
      }
      for (const input::array_location& place : input::array_locations("table", options_.tables[i]))
        add_by_record(place, of);
    }
    return std::move(chosen_);
  }

 private:
  /// Adds an array; what is not typed is as its record or its name says.
  void add_by_record(const input::array_location& place, table_options of) {
    const recorded_array recorded = recorded_of(place);
    if (of.kind.empty()) of.kind = kind_by_name(recorded.name);
    if (of.kind.empty()) of.kind = kind_by_name(place.text());
    if (of.where.positions.empty() && of.where.real_positions.empty())
      of.where.positions = recorded.positions;
    kind_ = kind_from("as", of.kind);
    const bool is_of_model = !of.which.configs.empty() || !of.which.models.empty();
    if (is_of_model && of.which.layer.empty() && tables::is_of_rope(kind_)) of.which.layer = recorded.layer;
    if (std::string& axis = of.own["--axis"]; is_of_model && axis.empty()) axis = recorded.axis;
    add(place, std::move(of));
  }

  void add(const input::array_location& place, table_options of) {
    std::error_code unknown;
    if (place.path == "-" || std::filesystem::is_fifo(place.path, unknown))
      throw bad_input("table", place.text(),
                      "a file: its array is read twice, standard input and pipes once");
    const input::array_file file("table", place);
    if (takes_model(kind_) && of.which.grid.empty() && of.where.positions.empty() &&
        of.where.real_positions.empty() && of.own["--axis"].empty())
      of.which.grid = own_grid_of(of.which);
    const std::string options = options_text(place, of, of.where.positions);
    take_from_shape(of, kind_, file.header().shape);
    if (kind_ == table_kind::positions) of.dtype = format_of(file);
    verify::given_array r;
    r.place = place;
    r.content = tables_.made(of, kind_);
    r.dtype = array::dtype_of_file(file, r.content->about().elements, "");
    if (!of.dtype.empty() && kind_ == table_kind::positions) {
      of.dtype.clear();
      if (const auto whole = tables_.made(of, kind_);
          whole->about().elements == tables::table_elements::whole)
        require_numbers(*whole, r.dtype, place.text());
    }
    const std::string dtype(tables::text_of(r.dtype).name);
    if (!dtypes_.empty() && std::find(dtypes_.begin(), dtypes_.end(), dtype) == dtypes_.end())
      throw bad_input("dtype", dtypes_.front(), dtype + ", as " + printable(place.text()) + " holds");
    r.subject = subject_of(*r.content);
    r.options = options;
    if (!promises_bits(promised_) && !array::has_promises(*r.content))
      throw bad_input("promise", promise_text_,
                      "none for " + r.content->about().name + ": correct rounding alone");
    r.promised = array::promise_of_entries(*r.content, promised_, promise_text_);
    chosen_.arrays.push_back(std::move(r));
  }

  /// Adds the arrays of layers, each with the table of its kind of layer.
  void add_layers(const std::string& text, table_options of) {
    if (!tables::is_of_rope(kind_))
      throw bad_input("table", text, "{layer} with kinds of a model's rotary numbers");
    if (!of.which.layer.empty())
      throw bad_input("layer", of.which.layer, "none with {layer}: the configuration says it");
    const model::model model = chosen_model(of.which);
    const model::layer_plan plan = model::plan_of(model);
    if (plan.layers.empty() && !model.layer_type.empty())
      throw bad_input(
          "layer_types", "missing",
          "the kind of each layer, or num_hidden_layers: " + model.name + " has layers of two kinds");
    const auto layers = static_cast<std::int64_t>(plan.layers.size());
    std::vector<bool> is_there(plan.layers.size());
    for (const input::layered_array& one : input::layered_arrays("table", text)) {
      if (layers > 0 && one.layer >= layers)
        throw bad_input("table", one.place.text(),
                        fmt::format("layers 0 to {}: {} has {}", layers - 1, model.name, layers));
      if (layers > 0) {
        const auto layer = static_cast<std::size_t>(one.layer);
        is_there[layer] = true;
        if (plan.layers[layer].table < 0) {
          if (!is_of_no_rotation(one.place))
            chosen_.missing.push_back(
                fmt::format("layer {} of {} does not rotate ({}): {} has other numbers than 0 and 1", layer,
                            model.name, plan.layers[layer].kind, one.place.text()));
          continue;
        }
        of.which.layer = plan.layers[layer].kind;
      }
      add(one.place, of);
    }
    for (std::size_t layer = 0; layer < is_there.size(); ++layer)
      if (!is_there[layer] && plan.layers[layer].table >= 0)
        chosen_.missing.push_back(fmt::format("layer {} of {}: no array for {}", layer, model.name, text));
  }

  const array_options& options_;
  const std::vector<std::string>& dtypes_;
  promise promised_;
  std::string promise_text_;
  table_options base_;
  table_kind kind_{};
  table_maker tables_;
  chosen_arrays chosen_;
};

}  // namespace

void add_array_options(subcommand& command, array_options& options) {
  command.heading("Arrays of files", "--table rope.safetensors#cos --as cos --model llama-3.1-8b");
  command.option(
      "--table", options.tables, "FILE[#NAME]",
      "an array to judge (.npy, or one of an .npz, a safetensors or a GGUF file); * for any letters of a "
      "NAME, {layer} for the number of a layer");
  command.option("--as", options.kinds, "KIND",
                 "what the arrays are, once or for each (default: what `table` recorded beside them, or "
                 "their names say): " +
                     listed_names(tables::table_kinds));
  command.option("--layout", options.layouts, "LAYOUT",
                 "of cos-sin, cos, sin, xpos, axes, mixed, pooled-cos-sin and sinusoidal, as in `table`; "
                 "once or for each");
  command.values("--as", input::names_in(tables::table_kinds));
  add_real_positions_option(command, options.of.where);
  add_own_options(command, options.of, "--layout");
}

chosen_arrays arrays_from(const array_options& options, const which_options& which,
                          const std::string& positions, const std::vector<std::string>& dtypes,
                          const named_promise& promised, session& session) {
  return array_chooser(options, which, positions, dtypes, promised, session).all();
}

named_option first_named(const array_options& options) {
  const std::pair<const char*, const std::vector<std::string>&> lists[] = {
      {"table", options.tables}, {"as", options.kinds}, {"layout", options.layouts}};
  for (const auto& [name, values] : lists)
    if (!values.empty()) return {name, values.front()};
  if (const std::string& real = options.of.where.real_positions; !real.empty())
    return {"positions-f64", real};
  for (const auto& [option, value] : options.of.own)
    if (!value.empty()) return {std::string(option.substr(2)), value};
  return {};
}

}  // namespace ropewalk::command
