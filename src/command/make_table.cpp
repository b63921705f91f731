#include "command/make_table.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>

#include "export/tables.hpp"
#include "input/bad_input.hpp"
#include "model/own_encoding.hpp"

namespace ropewalk::command {
namespace {

using tables::table;
using tables::table_kind;

/// Appends one line on the table's encoding, taken from its record, to session.understood.
void report_encoding(const table& made, session& session) {
  input::json record;
  made.put(record);
  std::string text = record["encoding"]["name"].get<std::string>(), separator = ": ";
  for (const auto& [key, value] : record["encoding"].items()) {
    if (key == "name") continue;
    const std::string shown = value.is_string()         ? printable(value.get<std::string>())
                              : value.is_number_float() ? input::shown(value.get<double>())
                                                        : input::shown(value);
    text += std::exchange(separator, ", ") + key + " " + shown;
  }
  session.understood += text + "\n";
}

/// The typed layout of a table of a kind.
tables::array_layout layout_from(const table_options& options, table_kind kind) {
  tables::array_layout r = layout_named(kind, typed(options, "--layout"));
  r.is_in_digits = !options.digits.empty();
  return r;
}

constexpr const char* axes_missing =
    "a model with several axes, by mrope_section, --axes or the configuration of an image's model; "
    "cos-sin is the table for one axis";

/// The tables of a model whose tokens stand on axes: those of --grid, or an array of positions.
std::vector<made_table> on_axes(const std::vector<tables::array_layout>& layouts, model::model model,
                                const table_options& options, session& session) {
  if (model.placed_tokens && !options.where.positions.empty())
    throw bad_input("positions", options.where.positions, "none with --grid, which says them");
  if (options.where.positions.empty()) model = with_own_grid(std::move(model));
  if (!model.placed_tokens && model.grid != nullptr && options.where.positions.empty())
    throw bad_input("grid", "missing",
                    "the tokens of a picture or a video, such as --grid 64x64; or --positions FILE");
  input::axis_positions positions =
      model.placed_tokens ? *model.placed_tokens
                          : input::axis_positions_from(options.where.positions, axis_count(model.axes));
  model = at_seq_len(std::move(model), options.which.seq_len,
                     {positions.smallest_seq_len(), "the largest position + 1"});
  report_reading(model, session);
  std::vector<made_table> made;
  for (const tables::array_layout& layout : layouts)
    made.push_back(tables::rope_axes_table_of(with_copies(layout, model.doubled, model.axes, model.encoding),
                                              model, positions));
  return made;
}

/// The model's rotation on one axis, which --axis names, as if it had no other.
model::model of_one_axis(model::model of, const table_options& options) {
  const std::int64_t axis = required_number(options, "--axis", 0, axis_count(of.axes) - 1);
  const rotary_axis& chosen = of.axes.axis[static_cast<std::size_t>(axis)];
  if (keeps_frequencies(of.axes) || of.axes.frequencies_of != axis_frequencies::own ||
      chosen.turn.rule != spacing::of_base)
    throw bad_input("axis", std::to_string(axis) + " of " + of.name,
                    "an axis that has frequencies of its own, of a base");
  if (pairs_of_axis(static_cast<int>(axis), of.axes, of.encoding) == 0)
    throw bad_input("axis", std::to_string(axis) + " of " + of.name + " (no pairs)",
                    "an axis that turns pairs");
  if (of.placed_tokens)
    throw bad_input("axis", std::to_string(axis), "none with --grid, whose tokens stand on all axes");
  of.encoding = rope_of_axis(static_cast<int>(axis), of.axes, of.encoding);
  of.max_position_embeddings = of.grid_numbers.end.positions[static_cast<std::size_t>(axis)];
  of.axes = {};
  of.layout = {.head_dim = of.encoding.rotary_dim,
               .pairing_in = of.layout.pairing_in,
               .pairing_out = of.layout.pairing_out};
  of.grid = nullptr;
  of.name += ", axis " + std::to_string(axis);
  return of;
}

/// The tables of one model: its configuration and its positions are read once.
std::vector<made_table> from_rope(const table_options& options, std::span<const table_kind> kinds,
                                  session& session) {
  // Beside cos-sin, --layout is that of cos-sin.
  const bool has_both = std::find(kinds.begin(), kinds.end(), table_kind::cos_sin) != kinds.end();
  table_options without_layout = options;
  without_layout.own.erase("--layout");
  std::vector<tables::array_layout> layouts;
  for (const table_kind kind : kinds)
    layouts.push_back(layout_from(has_both && kind != table_kind::cos_sin ? without_layout : options, kind));
  model::model model = chosen_model(options.which);
  if (!typed(options, "--axis").empty()) model = of_one_axis(std::move(model), options);
  if (model.placed_tokens || !keeps_frequencies(model.axes)) {
    for (const tables::array_layout& layout : layouts)
      if (!has_positions(layout))
        throw bad_input("kind", std::string(tables::text_of(layout.kind).name),
                        "cos, sin and cos-sin, where tokens stand on axes with frequencies of their own");
    return on_axes(layouts, std::move(model), options, session);
  }
  const input::position_list positions = chosen_positions(options.where, model.max_position_embeddings);
  model = at_seq_len(std::move(model), options.which.seq_len,
                     {positions.smallest_seq_len(), "the largest position + 1"});
  report_reading(model, session);
  std::vector<made_table> made;
  for (tables::array_layout& layout : layouts) {
    layout = with_copies(std::move(layout), model.doubled, model.axes, model.encoding);
    made.push_back(tables::rope_table_of(layout, model, positions));
  }
  return made;
}

/// The model of a table on axes, which a configuration or --axes gives.
model::model model_with_axes(const table_options& options) {
  model::model model = chosen_model(options.which);
  if (is_text(model.axes) && !model.placed_tokens)
    throw bad_input("which encoding", model.name + " (one axis)", axes_missing);
  return model;
}

/// The model of a table of another map than a rotation.
model::model model_of_map(const table_options& options, model::position_map map) {
  which_options which = options.which;
  which.map = map;
  return chosen_model(which);
}

xpos xpos_from(const table_options& options) {
  xpos config;
  const auto& [base, rotary_dim, scale_base, length] = xpos_descriptor.fields;
  read_field(options, base, config);
  read_required_field(options, rotary_dim, config);
  read_field(options, scale_base, config);
  read_field(options, length, config);
  validate_options(config);
  return config;
}

xpos_side side_from(const table_options& options) {
  if (typed(options, "--side").empty()) throw bad_input("side", "missing", "query, key");
  return chosen_word(options, "--side", {xpos_side::query, xpos_side::key}, xpos_side::query);
}

tables::bias_extent extent_from(const table_options& options) {
  constexpr std::int64_t most_keys = 1 << 20;  // each row is held in memory
  tables::bias_extent extent;
  extent.keys = required_number(options, "--keys", 1, most_keys);
  extent.queries = typed(options, "--queries").empty()
                       ? extent.keys
                       : required_number(options, "--queries", 1, extent.keys);
  return extent;
}

bool is_bidirectional(const table_options& options) {
  const bool is_causal = !typed(options, "--causal").empty();
  if (is_causal && !typed(options, "--bidirectional").empty())
    throw bad_input("causal", "given", "only without --bidirectional");
  return !is_causal;
}

t5_bias t5_bias_from(const table_options& options) {
  t5_bias config;
  const auto& [buckets, max_distance] = t5_descriptor.fields;
  read_field(options, buckets, config);
  read_field(options, max_distance, config);
  config.bidirectional = is_bidirectional(options);
  validate_options(config);
  return config;
}

/// The scale of a model, the model's name and how many positions it has; by hand, no model gives those.
struct chosen_scale {
  query_scale scale{};
  std::int64_t positions = 0;
  std::string model{};
};
chosen_scale query_scale_from(const table_options& options, session& session) {
  const bool is_of_model = !options.which.configs.empty() || !options.which.models.empty();
  if (is_of_model) {
    for (const std::string_view option : {"--strength", "--length", "--shift"})
      if (const std::string text = typed(options, option); !text.empty())
        throw bad_input(option.substr(2), text, "none with --config or --model, which has the scale");
    const model::model model = chosen_model(options.which);
    if (!model.queries) {
      std::string why = "queries keep their length";
      for (const model::fact& one : model.facts)
        if (one.name == "query scale") why += ": " + one.origin;
      throw bad_input("which encoding", model.name + " (" + why + ")",
                      "a model that scales its queries by position, such as Llama 4 and Ministral 3");
    }
    report_reading(model, session);
    session.understood += "query scale " + text_of(*model.queries) + "\n";
    return {model.queries->scale, model.max_position_embeddings, model.name};
  }
  query_scale config;
  const auto& [strength, length, shift] = query_scale_descriptor.fields;
  read_required_field(options, strength, config);
  read_required_field(options, length, config);
  read_field(options, shift, config);
  validate_options(config);
  return {config, 0, ""};
}

/// The default number of positions: 2048, or fewer if the code has fewer values.
std::int64_t default_count(const index_code& config) {
  constexpr std::int64_t usual = 2048;
  if (config.kind == index_code_kind::normalised && config.length > 0) return config.length;
  if (config.kind == index_code_kind::binary) return std::min(usual, std::int64_t{1} << config.width);
  return usual;
}

index_code index_code_from(const table_options& options, table_kind kind) {
  index_code config;
  if (kind == table_kind::integer) return config;
  const auto& [width, length, base] = index_code_descriptor.fields;
  if (kind == table_kind::normalised) {
    config.kind = index_code_kind::normalised;
    read_field(options, length, config);
    if (typed(options, "--length").empty()) return config;
  } else {
    config.kind = kind == table_kind::binary ? index_code_kind::binary : index_code_kind::sine_only;
    read_required_field(options, width, config);
    read_field(options, base, config);
    config.order = chosen_word(options, "--bit-order", {bit_order::lsb, bit_order::msb}, config.order);
  }
  validate_options(config);
  return config;
}

made_table from_index_code(const table_options& options, table_kind kind, session& session) {
  index_code config = index_code_from(options, kind);
  const input::position_list positions = chosen_positions(options.where, default_count(config));
  if (kind == table_kind::normalised && config.length == 0) config.length = positions.smallest_seq_len();
  made_table made = tables::index_codes_of(kind, config, positions);
  report_encoding(*made, session);
  return made;
}

// One overload per kind or group of kinds; a kind without an overload does not compile.

template <table_kind Kind>
requires(tables::is_of_rope(Kind)) made_table
    make(member<Kind>, const table_options& options, session& session) {
  const table_kind kinds[] = {Kind};
  return std::move(from_rope(options, kinds, session).front());
}

made_table make(member<table_kind::sinusoidal>, const table_options& options, session& session) {
  made_table made = tables::sinusoidal_table_of(sinusoidal_from(options), chosen_positions(options.where, 0));
  report_encoding(*made, session);
  return made;
}

made_table make(member<table_kind::alibi_slopes>, const table_options& options, session& session) {
  made_table made = tables::alibi_slopes_of(alibi_from(options));
  report_encoding(*made, session);
  return made;
}

made_table make(member<table_kind::alibi_bias>, const table_options& options, session& session) {
  const alibi config = alibi_from(options);
  made_table made = tables::alibi_bias_of(config, extent_from(options));
  report_encoding(*made, session);
  return made;
}

made_table make(member<table_kind::t5_buckets>, const table_options& options, session& session) {
  constexpr std::int64_t most_relative = 1 << 30;  // the table has 2 R + 1 < 2^32 rows
  const t5_bias config = t5_bias_from(options);
  const bool is_given = !typed(options, "--max-relative").empty();
  if (!is_given && config.max_distance > most_relative)
    throw bad_input("max-relative", "missing",
                    fmt::format("0 to {}: the default, max-distance, is above", most_relative));
  const std::int64_t max_relative =
      is_given ? required_number(options, "--max-relative", 0, most_relative) : config.max_distance;
  made_table made = tables::t5_buckets_of(config, max_relative);
  report_encoding(*made, session);
  return made;
}

made_table make(member<table_kind::binary> kind, const table_options& options, session& session) {
  return from_index_code(options, kind.value, session);
}
made_table make(member<table_kind::normalised> kind, const table_options& options, session& session) {
  return from_index_code(options, kind.value, session);
}
made_table make(member<table_kind::sine_only> kind, const table_options& options, session& session) {
  return from_index_code(options, kind.value, session);
}

made_table make(member<table_kind::integer> kind, const table_options& options, session& session) {
  return from_index_code(options, kind.value, session);
}

made_table make(member<table_kind::xpos> kind, const table_options& options, session& session) {
  tables::array_layout layout = layout_from(options, kind.value);
  layout.duplicated = pairing::interleaved;  // as its authors' code
  const xpos_side side = side_from(options);
  xpos config = xpos_from(options);
  input::position_list positions = chosen_positions(options.where, 0);
  if (typed(options, "--length").empty()) config.length = positions.smallest_seq_len();
  made_table made = tables::xpos_table_of(layout, config, side, std::move(positions));
  report_encoding(*made, session);
  return made;
}

made_table make(member<table_kind::axes> kind, const table_options& options, session& session) {
  const std::vector<tables::array_layout> layouts{layout_from(options, kind.value)};
  return std::move(on_axes(layouts, model_with_axes(options), options, session).front());
}

made_table make(member<table_kind::positions>, const table_options& options, session& session) {
  model::model model = with_own_grid(chosen_model(options.which));
  if (!model.placed_tokens)
    throw bad_input("grid", "missing",
                    model.grid == nullptr
                        ? "a model of images, of which " + model.name + " is none: its tokens are counted"
                        : "the tokens of a picture or a video, such as --grid 64x64");
  report_reading(model, session);
  const bool is_real = dtype_named(options.dtype).has_value();
  return tables::positions_table_of(model, *model.placed_tokens, is_real);
}

made_table make(member<table_kind::mixed> kind, const table_options& options, session& session) {
  tables::array_layout layout = layout_from(options, kind.value);
  layout.duplicated = pairing::interleaved;  // as the code of Mochi, RoPE-ViT and LightGlue
  const std::string place = typed(options, "--frequencies");
  if (place.empty())
    throw bad_input("frequencies", "missing",
                    "FILE or FILE#NAME, an array [axes, heads, pairs], or [axes, pairs] for one head");
  tables::mixed_frequencies frequencies = tables::mixed_frequencies_from(place);
  input::axis_positions positions = input::axis_positions_from(options.where.positions, frequencies.axes);
  made_table made = tables::rope_mixed_table_of(layout, std::move(frequencies), std::move(positions));
  report_encoding(*made, session);
  return made;
}

made_table make(member<table_kind::skewed_cos_sin> kind, const table_options& options, session& session) {
  const std::vector<tables::array_layout> layouts{layout_from(options, kind.value)};
  model::model model = model_of_map(options, model::position_map::skewed);
  return std::move(on_axes(layouts, std::move(model), options, session).front());
}

made_table make(member<table_kind::pooled_cos_sin> kind, const table_options& options, session& session) {
  const tables::array_layout layout = layout_from(options, kind.value);
  const model::model model = model_of_map(options, model::position_map::pooled);
  if (!model.placed_tokens)
    throw bad_input("grid", "missing",
                    "the tokens of the window, such as --grid 9x24x40; or HxW with --frames");
  report_reading(model, session);
  return tables::pooled_axes_table_of(with_copies(layout, model.doubled, model.axes, model.encoding), model);
}

made_table make(member<table_kind::learned>, const table_options& options, session& session) {
  const std::string place = typed(options, "--weights");
  if (place.empty())
    throw bad_input("weights", "missing", "FILE or FILE#NAME, an array [max_position_embeddings, d_model]");
  const bool has_first = !typed(options, "--first-row").empty();
  const std::int64_t first = has_first ? required_number(options, "--first-row", 0, largest_position) : 0;
  tables::learned_weights weights = tables::weights_from(place, first);
  input::position_list positions = chosen_positions(options.where, weights.config.max_position_embeddings);
  made_table made = tables::learned_table_of(std::move(weights), std::move(positions));
  report_encoding(*made, session);
  return made;
}

made_table make(member<table_kind::query_scale>, const table_options& options, session& session) {
  const chosen_scale of = query_scale_from(options, session);
  made_table made =
      tables::query_scales_of(of.scale, chosen_positions(options.where, of.positions), of.model);
  if (of.model.empty()) report_encoding(*made, session);
  return made;
}

/// Refuses weights whose rows are of another width than the configuration says, or fewer.
void require_shape(const model::own_encoding& own, const std::string& weights) {
  const learned shape = tables::weights_from(weights).config;
  const std::string width = std::to_string(shape.d_model);
  for (const model::fact& one : own.facts)
    if (one.name == "d_model" && one.value != width)
      throw bad_input("weights", weights + " (rows of " + width + ")",
                      fmt::format("rows of {}, by {} of {}", one.value, one.origin, own.name));
  if (shape.max_position_embeddings < own.least_rows)
    throw bad_input("weights", fmt::format("{} ({} rows)", weights, shape.max_position_embeddings),
                    fmt::format("at least {} rows, by {}", own.least_rows, own.name));
}

}  // namespace

sinusoidal sinusoidal_from(const table_options& options) {
  constexpr int largest_padding_idx = 2147483647;
  using enum sinusoidal_layout;
  sinusoidal config;
  const auto& [d_model, base, shift, scale] = sinusoidal_descriptor.fields;
  read_required_field(options, d_model, config);
  read_field(options, base, config);
  read_field(options, shift, config);
  read_field(options, scale, config);
  config.layout = chosen_word(options, "--layout", {interleaved, sin_cos, cos_sin}, config.layout);
  config.odd = chosen_word(options, "--odd", {odd_width::zero, odd_width::refuse}, config.odd);
  if (!typed(options, "--padding-idx").empty())
    config.padding_idx = static_cast<int>(required_number(options, "--padding-idx", 0, largest_padding_idx));
  validate_options(config);
  return config;
}

alibi alibi_from(const table_options& options) {
  alibi config;
  read_required_field(options, std::get<0>(alibi_descriptor.fields), config);
  if (const std::string form = typed(options, "--form"); !form.empty()) config.form = alibi_form_named(form);
  validate_options(config);
  return config;
}

table_options with_numbers_of_config(const table_options& options, std::span<const table_kind> kinds,
                                     session& session) {
  if (options.which.configs.empty() || takes_model(kinds.front())) return options;
  if (options.which.configs.size() > 1)
    throw bad_input("which encoding", std::to_string(options.which.configs.size()) + " encodings",
                    "exactly one --config");
  const std::string& path = options.which.configs.front();
  const auto own = model::read_own_encoding(path);
  const std::string_view kind = text_of(kinds.front()).name;
  if (!own) {
    chosen_model(options.which);  // throws where the type has no rotation, and says what it has
    throw bad_input("config", path, fmt::format("a model with {}: this one rotates", kind));
  }
  if (std::find(own->kinds.begin(), own->kinds.end(), kind) == own->kinds.end())
    throw bad_input("kind", std::string(kind),
                    fmt::format("{}, as {} has {}", fmt::join(own->kinds, ", "), path, own->encoding));
  table_options r = options;
  r.which.configs.clear();
  for (const std::string& remark : own->remarks)
    session.understood += fmt::format("{}, beside these numbers: {}\n", own->name, remark);
  for (const auto& [option, number] : own->options) {
    const std::string given = typed(options, option);
    if (option == "--positions") {  // asked for, another number of rows is no contradiction
      if (given.empty()) r.where.positions = number;
      continue;
    }
    std::string name(option.substr(2));
    std::replace(name.begin(), name.end(), '-', '_');
    const auto fact = std::find_if(own->facts.begin(), own->facts.end(),
                                   [&](const model::fact& one) { return one.name == name; });
    if (option == "--form" && !given.empty()) {  // another form is no other encoding
      if (given != number)
        session.understood += fmt::format("form {}, where the code of {} has {}\n", given, path, number);
      continue;
    }
    if (!given.empty() && given != number)
      throw bad_input(
          option.substr(2), given,
          fmt::format("{}, by {} of {}", number, fact == own->facts.end() ? "the type" : fact->origin, path));
    r.own[option] = number;
  }
  if (const std::string base = typed(options, "--base"); !base.empty())
    throw bad_input("base", base, "none with --config: the type's code has 10000");
  if (const std::string weights = typed(options, "--weights"); !weights.empty()) require_shape(*own, weights);
  return r;
}

std::vector<made_table> make_tables(const table_options& options, std::span<const table_kind> kinds,
                                    session& session) {
  refuse_foreign_options(options, kinds);
  if (tables::is_of_rope(kinds.front())) return from_rope(options, kinds, session);
  const table_options with_numbers = with_numbers_of_config(options, kinds, session);
  std::vector<made_table> made;
  for (const table_kind kind : kinds)
    made.push_back(visit_member<tables::last_table_kind>(
        kind, [&](auto of) { return make(of, with_numbers, session); }));
  return made;
}

}  // namespace ropewalk::command
