#include "command/make_table.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>

#include "command/table_encodings.hpp"
#include "export/tables.hpp"
#include "input/bad_input.hpp"

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
  tables::array_layout layout = layout_named(kind, typed(options, "--layout"));
  layout.is_in_digits = !options.digits.empty();
  return layout;
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
model::model one_axis_of(model::model model, const table_options& options) {
  const std::int64_t axis = required_number(options, "--axis", {0, axis_count(model.axes) - 1});
  const std::string number = std::to_string(axis);
  const rotary_axis& chosen = model.axes.axis[static_cast<std::size_t>(axis)];
  if (keeps_frequencies(model.axes) || model.axes.frequencies_of != axis_frequencies::own ||
      chosen.turn.rule != spacing::of_base)
    throw bad_input("axis", number + " of " + model.name,
                    "an axis that has frequencies of its own, of a base");
  if (pairs_of_axis(static_cast<int>(axis), model.axes, model.encoding) == 0)
    throw bad_input("axis", number + " of " + model.name + " (no pairs)", "an axis that turns pairs");
  if (model.placed_tokens)
    throw bad_input("axis", number, "none with --grid, whose tokens stand on all axes");
  model.encoding = rope_of_axis(static_cast<int>(axis), model.axes, model.encoding);
  model.max_position_embeddings = model.grid_numbers.end.positions[static_cast<std::size_t>(axis)];
  model.axes = {};
  model.layout = {.head_dim = model.encoding.rotary_dim,
                  .pairing_in = model.layout.pairing_in,
                  .pairing_out = model.layout.pairing_out};
  model.grid = nullptr;
  model.name += ", axis " + number;
  return model;
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
  if (!typed(options, "--axis").empty()) model = one_axis_of(std::move(model), options);
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

/// The default number of positions, or fewer if the code has fewer values.
std::int64_t default_count(const index_code& config) {
  constexpr std::int64_t usual = input::default_positions;
  if (config.kind == index_code_kind::normalised && config.length > 0) return config.length;
  if (config.kind == index_code_kind::binary) return std::min(usual, std::int64_t{1} << config.width);
  return usual;
}

made_table from_index_code(const table_options& options, table_kind kind, session& session) {
  index_code config = index_code_from(options, kind);
  input::position_list positions = chosen_positions(options.where, default_count(config));
  if (kind == table_kind::normalised && config.length == 0) config.length = positions.smallest_seq_len();
  made_table made = tables::index_codes_of(kind, config, std::move(positions));
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
  const t5_bias config = t5_bias_from(options);
  made_table made = tables::t5_buckets_of(config, max_relative_from(options, config));
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
  if (place.empty()) throw refusal("--frequencies", "missing");
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
  model::model model = model_of_map(options, model::position_map::pooled);
  if (!model.placed_tokens)
    throw bad_input("grid", "missing",
                    "the tokens of the window, such as --grid 9x24x40; or HxW with --frames");
  report_reading(model, session);
  return tables::pooled_axes_table_of(with_copies(layout, model.doubled, model.axes, model.encoding),
                                      std::move(model));
}

made_table make(member<table_kind::learned>, const table_options& options, session& session) {
  const std::string place = typed(options, "--weights");
  if (place.empty()) throw refusal("--weights", "missing");
  const bool has_first = !typed(options, "--first-row").empty();
  const std::int64_t first = has_first ? required_number(options, "--first-row") : 0;
  tables::learned_weights weights = tables::weights_from(place, first);
  input::position_list positions = chosen_positions(options.where, weights.config.max_position_embeddings);
  made_table made = tables::learned_table_of(std::move(weights), std::move(positions));
  report_encoding(*made, session);
  return made;
}

made_table make(member<table_kind::query_scale>, const table_options& options, session& session) {
  const chosen_scale chosen = query_scale_from(options, session);
  made_table made =
      tables::query_scales_of(chosen.scale, chosen_positions(options.where, chosen.positions), chosen.model);
  if (chosen.model.empty()) report_encoding(*made, session);
  return made;
}

}  // namespace

std::vector<made_table> make_tables(const table_options& options, std::span<const table_kind> kinds,
                                    session& session) {
  refuse_foreign_options(options, kinds);
  if (tables::is_of_rope(kinds.front())) return from_rope(options, kinds, session);
  const table_options with_numbers = with_numbers_of_config(options, kinds, session);
  std::vector<made_table> made;
  for (const table_kind kind : kinds)
    made.push_back(visit_member<tables::last_table_kind>(
        kind, [&](auto member) { return make(member, with_numbers, session); }));
  return made;
}

}  // namespace ropewalk::command
