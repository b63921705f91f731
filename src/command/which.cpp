#include "command/which.hpp"

#include <algorithm>
#include <iostream>
#include <tuple>
#include <utility>

#include "catalogue.hpp"
#include "command/parser.hpp"
#include "command/shell_words.hpp"
#include "command/verify_kernels.hpp"
#include "input/bad_input.hpp"
#include "input/number.hpp"
#include "model/axes_form.hpp"
#include "model/layers.hpp"
#include "output/terminal.hpp"

namespace ropewalk::command {
namespace {

constexpr std::string_view every_layer_word = "all";  // of --layer

std::vector<std::string> pairing_names() {
  std::vector<std::string> r;
  for (const pairing layout : every_pairing) r.emplace_back(name_of(layout));
  return r;
}

given<pairing> chosen_pairing(const which_options& options) {
  if (options.pairing.empty()) return {};
  for (const pairing layout : every_pairing) {
    if (options.pairing != name_of(layout)) continue;
    if (layout == pairing::half_split_by_axis && options.axes.empty())
      throw bad_input("pairing", options.pairing, "interleaved, half-split; by axis with --axes alone");
    return layout;
  }
  throw bad_input("pairing", options.pairing, "interleaved, half-split, half-split-by-axis");
}

/// The fields of RoPE, the only encoding that options can give by hand.
constexpr auto rope_fields = std::get<0>(catalogue).fields;
constexpr auto base_field = std::get<0>(rope_fields);
constexpr auto rotary_dim_field = std::get<1>(rope_fields);
constexpr auto head_dim_field = std::get<2>(rope_fields);
constexpr auto rotary_begin_field = std::get<3>(rope_fields);

template <class Field>
std::string text_of(const which_options& options, const Field& field) {
  const auto found = options.numbers.find(field.option);
  return found == options.numbers.end() ? std::string() : found->second;
}

bool is_by_hand(const which_options& options) {
  return options.configs.empty() &&
         (!text_of(options, base_field).empty() || !text_of(options, head_dim_field).empty() ||
          (!options.axes.empty() && options.models.empty()));
}

/// The number given for a field. Only the type is checked here: `validate` checks the range.
template <class Config, class Number>
Number number_of(const which_options& options, const field<Config, Number>& field) {
  const std::string name(field.option.substr(2)), text = text_of(options, field);
  if (text.empty()) throw bad_input(name, "missing", std::string(field.allowed));
  const auto value = input::number_from<Number>(text);
  if (!value) throw bad_input(name, text, std::string(field.allowed));
  return *value;
}

/// The numbers beside --config.
model::numbers_beside numbers_beside_config(const which_options& options) {
  model::numbers_beside r;
  if (options.configs.empty()) return r;
  if (!text_of(options, base_field).empty()) r.base = number_of(options, base_field);
  if (!text_of(options, head_dim_field).empty()) r.head_dim = number_of(options, head_dim_field);
  if (!text_of(options, rotary_dim_field).empty()) r.rotary_dim = number_of(options, rotary_dim_field);
  return r;
}

void refuse_numbers_without_base(const which_options& options) {
  if (const std::string text = text_of(options, rotary_dim_field); !text.empty() && options.configs.empty())
    throw bad_input("rotary-dim", text, "only with --base and --head-dim");
  if (const std::string text = text_of(options, rotary_begin_field); !text.empty())
    throw bad_input("rotary-begin", text,
                    "none with --config or --model, whose type says it; only with --base and --head-dim");
  if (!options.scaling.empty())
    throw bad_input("scaling", options.scaling, "only by hand: with --base and --head-dim, without --config");
}

/// Returns make(). An error message that begins with a field begins with the option's name instead:
/// rotary-dim for rotary_dim.
template <class Make>
auto in_words_of_options(const Make& make) {
  try {
    return make();
  } catch (const std::invalid_argument& error) {
    std::string text = error.what();
    const std::string_view field = std::string_view(text).substr(0, text.find(' '));
    if (field == "rotary_dim" || field == "head_dim" || field == "rotary_begin") text[text.find('_')] = '-';
    throw std::invalid_argument(text);
  }
}

/// The number typed for a field; what the axes say where none was typed.
template <class Config, class Number>
Number number_of(const which_options& options, const field<Config, Number>& field,
                 const given<Number>& of_axes) {
  return text_of(options, field).empty() && of_axes ? of_axes.value : number_of(options, field);
}

/// A rotation whose axes were named: they have a base and channels, which numbers that were typed replace.
model::model on_axes_by_hand(const which_options& options) {
  const auto typed = [&](const auto& field) { return !text_of(options, field).empty(); };
  const int channels = typed(rotary_dim_field) ? number_of(options, rotary_dim_field)
                       : typed(head_dim_field) ? number_of(options, head_dim_field)
                                               : 0;
  const model::axes_choice chosen = model::axes_named(options.axes, channels);
  if (typed(base_field) && !uses_base(chosen))
    throw bad_input(
        "base", text_of(options, base_field),
        "none here: the frequencies of " + chosen.name + " have a first and a last one, or a list");
  const given<double> base = chosen.base;
  const int rotary_dim = typed(rotary_dim_field) ? channels : chosen.rotary_dim;
  const int head_dim =
      number_of(options, head_dim_field, chosen.head_dim ? chosen.head_dim : given<int>(rotary_dim));
  const int rotary_begin = typed(rotary_begin_field) ? number_of(options, rotary_begin_field) : 0;
  const pairing layout = chosen_pairing(options).value_or(chosen.layout.value_or(pairing::half_split));
  const std::string& scaling = options.scaling.empty() ? chosen.scaling_json : options.scaling;
  return in_words_of_options([&] {
    return with_axes(model::model_by_hand(number_of(options, base_field, base), head_dim, rotary_dim, layout,
                                          scaling, rotary_begin),
                     chosen);
  });
}

model::model by_hand(const which_options& options) {
  if (!options.layer.empty())
    throw bad_input("layer", options.layer, "only with --config or --model: by hand there is one table");
  if (!options.axes.empty()) return on_axes_by_hand(options);
  const double base = number_of(options, base_field);
  const int head_dim = number_of(options, head_dim_field);
  const int rotary_dim =
      text_of(options, rotary_dim_field).empty() ? head_dim : number_of(options, rotary_dim_field);
  const int rotary_begin =
      text_of(options, rotary_begin_field).empty() ? 0 : number_of(options, rotary_begin_field);
  return in_words_of_options([&] {
    return model::model_by_hand(base, head_dim, rotary_dim,
                                chosen_pairing(options).value_or(pairing::half_split), options.scaling,
                                rotary_begin);
  });
}

std::map<std::string, std::string> ignored_keys(const which_options& options) {
  std::map<std::string, std::string> r;
  for (const std::string& one : options.ignored) {
    const std::size_t equals = one.find('=');
    if (equals == one.npos || equals == 0 || equals + 1 == one.size())
      throw bad_input("ignore-key", one, "KEY=REASON: the key of a configuration, and why it is left out");
    r[one.substr(0, equals)] = one.substr(equals + 1);
  }
  return r;
}

std::string told(const model::model& model, bool verbose) {
  std::string text = printable(model.name) + ": " + summary(model) + "\n";
  for (const std::string& line : model.warnings)
    text += output::coloured("warning: ", output::colour::yellow, output::stream::error) + line + "\n";
  if (verbose)
    for (const model::fact& one : model.facts) text += "  " + text_of(one) + "\n";
  return text;
}

void add_axes_option(subcommand& command, which_options& options) {
  command.option(
      "--axes", options.axes, "NAME|JSON|FILE",
      "axes of positions: those of a model, such as wan, flux or ltx-video, with its base and channels "
      "unless they are given, or JSON such as {\"axes\":[{\"pairs\":16},{\"pairs\":16}]}");
  command.values("--axes", [](const auto&) { return model::axes_family_names(); });
}

void add_grid_options(subcommand& command, which_options& options) {
  command.option("--grid", options.grid, "[Tx]HxW",
                 "tokens of a picture or a video, after patching, such as 64x64 or 21x30x52: the model's own "
                 "coordinates, in the order of its attention");
  command.option("--text", options.text, "N", "with --grid: tokens of text in the same call");
  command.option("--fps", options.fps, "F",
                 "with --grid: frames in a second, such as 24, 29.97 or 30000/1001");
  command.option("--crop", options.crop, "HxW", "with --grid: the base grid of models that crop it");
  command.repeated_option("--reference", options.references, "HxW", "with --grid: a reference picture");
  command.option("--frames", options.frames, "SIDE:FIRST-LAST,...",
                 "with --grid HxW: frames of a history that is pooled or compressed, in the order of their "
                 "tokens, such as "
                 "4:1-16,2:17-18,1:0,1:19-28 (default: as the model's pipeline has them)");
}

/// The grid that the options ask for; nothing without --grid.
std::optional<grid::request> chosen_grid(const which_options& options) {
  if (options.grid.empty()) {
    for (const auto& [name, text] :
         {std::pair("text", options.text), std::pair("fps", options.fps), std::pair("crop", options.crop),
          std::pair("reference", options.references.empty() ? std::string() : options.references.front()),
          std::pair("frames", options.frames)})
      if (!text.empty()) throw bad_input(name, text, "only with --grid");
    return std::nullopt;
  }
  grid::request r{.picture = grid::sizes_from("grid", options.grid)};
  if (!options.text.empty()) {
    const auto tokens = input::number_from<std::int64_t>(options.text);
    if (!tokens || *tokens < 1 || *tokens > grid::most_tokens)
      throw bad_input("text", options.text,
                      "a number of tokens from 1 to " + std::to_string(grid::most_tokens));
    r.text = *tokens;
  }
  if (!options.fps.empty()) r.fps = grid::fps_from(options.fps);
  if (!options.crop.empty()) r.crop = grid::sizes_from("crop", options.crop);
  if (!options.frames.empty()) r.frames = grid::runs_from(options.frames);
  for (const std::string& one : options.references)
    r.references.push_back(grid::sizes_from("reference", one));
  return r;
}

}  // namespace

void report_reading(const model::model& model, session& session) {
  session.understood += told(model, session.verbose);
}

void announce(session& session) {
  if (!session.quiet) std::cerr << session.understood;
  session.understood.clear();
}

std::vector<std::string> dtype_name_list() {
  std::vector<std::string> names;
  for (const ropewalk_dtype dtype : all_dtypes) names.emplace_back(name_of(dtype));
  return names;
}

std::vector<ropewalk_dtype> chosen_dtypes(const std::vector<std::string>& names) {
  refuse_comma_lists("dtype", names);
  for (const std::string& name : names)
    if (!dtype_named(name)) throw bad_input("dtype", name, dtype_names());
  std::vector<ropewalk_dtype> r;
  for (const ropewalk_dtype dtype : all_dtypes)
    if (names.empty() || std::find(names.begin(), names.end(), name_of(dtype)) != names.end())
      r.push_back(dtype);
  return r;
}

void add_which_options(subcommand& command, which_options& options, how_many count, named_axes axes) {
  command.heading(count == how_many::one ? "Which encoding" : "Which encodings (repeatable)",
                  count == how_many::one ? "--model llama-3.1-8b" : "--config config.json --model gpt-j-6b");
  command.repeated_option("--config", options.configs, "FILE",
                          "a Hugging Face config.json, a directory that holds one, or -");
  command.repeated_option("--model", options.models, "NAME", "one of `ropewalk models`");
  std::apply(
      [&](const auto&... field) {
        (command.option(std::string(field.option), options.numbers[field.option], "N",
                        std::string(field.option == rotary_begin_field.option
                                        ? "by hand: "
                                        : "by hand, or what --config leaves open: ") +
                            std::string(field.allowed)),
         ...);
      },
      rope_fields);
  command.option("--pairing", options.pairing, "KIND",
                 "interleaved or half-split, instead of the configuration's (default by hand: half-split); "
                 "with --axes in "
                 "runs also half-split-by-axis, halves of each axis's own channels");
  command.option(
      "--scaling", options.scaling, "JSON",
      "by hand: a rule as in rope_scaling, with max_position_embeddings in it where the rule asks for that");
  command.option("--part", options.part, "PART",
                 "of a configuration that holds several models: text, vision or audio (default: text)");
  command.values("--part", {"text", "vision", "audio"});
  if (axes == named_axes::taken) {
    add_axes_option(command, options);
    add_grid_options(command, options);
  }
  command.option("--seq-len", options.seq_len, "N",
                 "the sequence's length; only rules dynamic and longrope depend on it (default: the largest "
                 "position + 1; verify: both sides of a change; explain: max_position_embeddings)");
  command.option(
      "--layer", options.layer, "N|KIND|all",
      "a layer's number, or a kind of layers as the configuration names it, such as sliding_attention "
      "(default: the kind with full attention, or the one that rotates); `table` and `verify` take all");
  command.repeated_option("--ignore-key", options.ignored, "KEY=REASON",
                          "a key about positions that the model type does not have, and why it is left out");
  command.values("--model", [](const auto&) { return model::all_catalogue_names(); });
  command.values("--pairing", pairing_names());
  command.values("--layer", {"full_attention", "sliding_attention", "all"});
}

named_option first_named(const which_options& options) {
  if (!options.configs.empty()) return {"config", options.configs.front()};
  if (!options.models.empty()) return {"model", options.models.front()};
  for (const auto& [name, value] : options.numbers)
    if (!value.empty()) return {std::string(name.substr(name.starts_with("--") ? 2 : 0)), value};
  const named_option others[] = {
      {"pairing", options.pairing}, {"scaling", options.scaling},
      {"axes", options.axes},       {"part", options.part},
      {"grid", options.grid},       {"seq-len", options.seq_len},
      {"layer", options.layer},     {"ignore-key", options.ignored.empty() ? "" : options.ignored.front()}};
  for (const named_option& one : others)
    if (!one.value.empty()) return one;
  return {};
}

std::vector<std::string> grid_words(const which_options& options) {
  std::vector<std::string> r;
  const auto add = [&](std::string_view name, const std::string& value) {
    if (!value.empty()) r.insert(r.end(), {std::string(name), value});
  };
  add("--grid", options.grid);
  add("--text", options.text);
  add("--fps", options.fps);
  add("--crop", options.crop);
  for (const std::string& one : options.references) add("--reference", one);
  add("--frames", options.frames);
  return r;
}

std::vector<std::string> which_words(const which_options& options) {
  std::vector<std::string> r;
  const auto add = [&](std::string_view name, const std::string& value) {
    if (!value.empty()) r.insert(r.end(), {std::string(name), value});
  };
  for (const std::string& one : options.configs) add("--config", one);
  for (const std::string& one : options.models) add("--model", one);
  for (const auto& [name, value] : options.numbers) add(name, value);
  add("--pairing", options.pairing);
  add("--scaling", options.scaling);
  add("--axes", options.axes);
  add("--part", options.part);
  for (std::string& word : grid_words(options)) r.push_back(std::move(word));
  add("--seq-len", options.seq_len);
  add("--layer", options.layer);
  for (const std::string& one : options.ignored) add("--ignore-key", one);
  return r;
}

std::string command_text(const which_options& options) {
  std::string r;
  for (const std::string& word : which_words(options)) r += (r.empty() ? "" : " ") + shell_quoted(word);
  return r;
}

std::vector<model::model> chosen_models(const which_options& options) {
  const model::reading how{
      chosen_pairing(options),        options.part,           options.layer, ignored_keys(options),
      numbers_beside_config(options), options.is_every_layer, options.map};
  std::vector<model::model> models;
  for (const std::string& path : options.configs) models.push_back(model::read_model(path, how));
  for (const std::string& name : options.models) {
    if (how.layout)
      throw bad_input("pairing", options.pairing, "only with --config or --base, not with --model");
    models.push_back(model::catalogue_model(name, how));
  }
  if (!options.axes.empty())
    for (model::model& one : models)
      one = with_axes(std::move(one), model::axes_named(options.axes, one.encoding.rotary_dim));
  if (is_by_hand(options))
    models.push_back(by_hand(options));
  else
    refuse_numbers_without_base(options);
  if (const std::optional<grid::request> asked = chosen_grid(options))
    for (model::model& one : models) one = with_grid(std::move(one), *asked);
  return models;
}

bool asks_every_layer(const which_options& options) { return options.layer == every_layer_word; }

choices_of_layers every_layer(const which_options& options) {
  if (is_by_hand(options)) by_hand(options);  // throws: there is one table
  choices_of_layers r;
  const auto add = [&](std::vector<std::string> which_options::*place, const std::string& name) {
    choice_of_layers one{options, {}};
    one.which.configs.clear(), one.which.models.clear(), one.which.layer.clear();
    (one.which.*place).push_back(name);
    if (place == &which_options::models) one.which.numbers.clear();  // they are beside --config
    one.which.is_every_layer = true;
    const model::model of = chosen_model(one.which);
    const model::layer_plan plan = model::plan_of(of);
    for (int table = -1; table < static_cast<int>(plan.tables.size()); ++table) {
      std::vector<int> numbers;
      for (std::size_t i = 0; i < plan.layers.size(); ++i)
        if (plan.layers[i].table == table) numbers.push_back(static_cast<int>(i));
      one.layers = model::runs_of(numbers);
      if (table < 0) {
        if (!numbers.empty()) r.still += of.name + ": layers without rotation: " + one.layers + "\n";
      } else if (plan.layers.empty() || !numbers.empty()) {
        one.which.layer = plan.tables[static_cast<std::size_t>(table)].layer_type;
        r.choices.push_back(one);
      }
    }
  };
  for (const std::string& path : options.configs) add(&which_options::configs, path);
  for (const std::string& name : options.models) add(&which_options::models, name);
  if (r.choices.empty())
    throw bad_input("layer", options.layer, "all only with --config or --model, whose layers rotate");
  return r;
}

void require_sequences(const model::model& of) {
  if (!keeps_frequencies(of.axes))
    throw bad_input(
        "which encoding", of.name + " (" + std::to_string(of.axes.count) + " axes)",
        "a model of sequences here; `table`, `apply`, `verify`, `sweep`, `bench` and `explain config` take "
        "axes with frequencies of their own");
}

model::model chosen_model_of_sequences(const which_options& options) {
  model::model r = chosen_model(options);
  require_sequences(r);
  return r;
}

model::model chosen_model(const which_options& options) {
  const std::size_t named = options.configs.size() + options.models.size() + (is_by_hand(options) ? 1 : 0);
  if (named != 1)
    throw bad_input("which encoding", named == 0 ? "missing" : std::to_string(named) + " encodings",
                    "exactly one of --config, --model, --base with --head-dim");
  return std::move(chosen_models(options).front());
}

}  // namespace ropewalk::command
