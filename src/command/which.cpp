#include "command/which.hpp"

#include <algorithm>
#include <iostream>
#include <utility>

#include "command/by_hand.hpp"
#include "command/option/domains.hpp"
#include "command/shell_words.hpp"
#include "command/verify_kernels.hpp"
#include "input/bad_input.hpp"
#include "input/number.hpp"
#include "model/axes_form.hpp"
#include "model/layers.hpp"
#include "output/terminal.hpp"

namespace ropewalk::command {
namespace {

std::map<std::string, std::string> ignored_keys(const which_options& options) {
  std::map<std::string, std::string> reasons;
  for (const std::string& text : options.ignored) {
    const std::size_t equals = text.find('=');
    if (equals == text.npos || equals == 0 || equals + 1 == text.size()) throw refusal("--ignore-key", text);
    reasons[text.substr(0, equals)] = text.substr(equals + 1);
  }
  return reasons;
}

/// A line on the model, its warnings and, if verbose, its facts.
std::string reading_text(const model::model& model, bool verbose) {
  std::string text = printable(model.name) + ": " + summary(model) + "\n";
  for (const std::string& line : model.warnings)
    text += output::coloured("warning: ", output::colour::yellow, output::stream::error) + line + "\n";
  if (verbose)
    for (const model::fact& fact : model.facts) text += "  " + text_of(fact) + "\n";
  return text;
}

/// The grid that the options ask for; nothing without --grid.
std::optional<grid::request> chosen_grid(const token_options& options) {
  if (options.grid.empty()) {
    if (const named_option option = first_given(options); option.is_given())
      throw bad_input(option.name, option.value, "only with --grid");
    return std::nullopt;
  }
  grid::request request{.picture = grid::sizes_from("grid", options.grid)};
  if (!options.text.empty()) request.text = whole_number_of("--text", options.text);
  if (!options.fps.empty()) request.fps = grid::fps_from(options.fps);
  if (!options.crop.empty()) request.crop = grid::sizes_from("crop", options.crop);
  if (!options.frames.empty()) request.frames = grid::runs_from(options.frames);
  for (const std::string& text : options.references)
    request.references.push_back(grid::sizes_from("reference", text));
  return request;
}

}  // namespace

void report_reading(const model::model& model, session& session) {
  session.understood += reading_text(model, session.verbose);
}

void announce(session& session) {
  if (!session.quiet) std::cerr << session.understood;
  session.understood.clear();
}

std::vector<ropewalk_dtype> chosen_dtypes(const std::vector<std::string>& names) {
  refuse_comma_lists("dtype", names);
  for (const std::string& name : names)
    if (!dtype_named(name)) throw refusal("--dtype", name);
  std::vector<ropewalk_dtype> dtypes;
  for (const ropewalk_dtype dtype : all_dtypes)
    if (names.empty() || std::find(names.begin(), names.end(), name_of(dtype)) != names.end())
      dtypes.push_back(dtype);
  return dtypes;
}

named_option first_named(const which_options& options) { return first_given(options); }

std::vector<std::string> grid_words(const which_options& options) { return words_of(options.tokens); }

std::vector<std::string> which_words(const which_options& options) { return words_of(options); }

std::string command_text(const which_options& options) {
  std::string text;
  for (const std::string& word : which_words(options)) text += (text.empty() ? "" : " ") + shell_quoted(word);
  return text;
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
    for (model::model& model : models)
      model = with_axes(std::move(model), model::axes_named(options.axes, model.encoding.rotary_dim));
  if (is_by_hand(options))
    models.push_back(model_by_hand(options));
  else
    refuse_numbers_without_base(options);
  if (const std::optional<grid::request> request = chosen_grid(options.tokens))
    for (model::model& model : models) model = with_grid(std::move(model), *request);
  return models;
}

bool asks_every_layer(const which_options& options) { return options.layer == every_one; }

choices_of_layers every_layer(const which_options& options) {
  if (is_by_hand(options)) model_by_hand(options);  // throws: there is one table
  choices_of_layers result;
  const auto add = [&](std::vector<std::string> which_options::*names, const std::string& name) {
    choice_of_layers choice{options, {}};
    choice.which.configs.clear(), choice.which.models.clear(), choice.which.layer.clear();
    (choice.which.*names).push_back(name);
    if (names == &which_options::models) choice.which.numbers.clear();  // they are beside --config
    choice.which.is_every_layer = true;
    const model::model model = chosen_model(choice.which);
    const model::layer_plan plan = model::plan_of(model);
    for (int table = -1; table < static_cast<int>(plan.tables.size()); ++table) {
      std::vector<int> numbers;
      for (std::size_t i = 0; i < plan.layers.size(); ++i)
        if (plan.layers[i].table == table) numbers.push_back(static_cast<int>(i));
      choice.layers = model::runs_of(numbers);
      if (table < 0) {
        if (!numbers.empty())
          result.still += model.name + ": layers without rotation: " + choice.layers + "\n";
      } else if (plan.layers.empty() || !numbers.empty()) {
        choice.which.layer = plan.tables[static_cast<std::size_t>(table)].layer_type;
        result.choices.push_back(choice);
      }
    }
  };
  for (const std::string& path : options.configs) add(&which_options::configs, path);
  for (const std::string& name : options.models) add(&which_options::models, name);
  if (result.choices.empty())
    throw bad_input("layer", options.layer, "all only with --config or --model, whose layers rotate");
  return result;
}

void require_sequences(const model::model& model) {
  if (!keeps_frequencies(model.axes))
    throw bad_input(
        "which encoding", model.name + " (" + std::to_string(model.axes.count) + " axes)",
        "a model of sequences here; `table`, `apply`, `verify`, `sweep`, `bench` and `explain config` take "
        "axes with frequencies of their own");
}

model::model chosen_model_of_sequences(const which_options& options) {
  model::model model = chosen_model(options);
  require_sequences(model);
  return model;
}

model::model chosen_model(const which_options& options) {
  const std::size_t named = options.configs.size() + options.models.size() + (is_by_hand(options) ? 1 : 0);
  if (named != 1)
    throw bad_input("which encoding", named == 0 ? "missing" : std::to_string(named) + " encodings",
                    "exactly one of --config, --model, --base with --head-dim");
  return std::move(chosen_models(options).front());
}

}  // namespace ropewalk::command
