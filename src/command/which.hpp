#pragma once
// Options that choose an encoding, shared by most commands.

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "command/command.hpp"
#include "command/option/typed_options.hpp"
#include "model/model.hpp"
#include "ropewalk/kernel/dtype.hpp"

namespace ropewalk::command {

/// The options that place tokens on axes, as typed.
struct token_options {
  std::string grid;
  std::string text;
  std::string fps;
  std::string crop;
  std::vector<std::string> references;
  std::string frames;
};

template <class Options, class Visit>
requires std::is_same_v<std::remove_const_t<Options>, token_options>
void visit_options(Options& options, const Visit& visit) {
  visit("--grid", options.grid);
  visit("--text", options.text);
  visit("--fps", options.fps);
  visit("--crop", options.crop);
  visit("--reference", options.references);
  visit("--frames", options.frames);
}

/// The options as typed. Numbers stay text until they are read, so that a refusal can quote the value.
struct which_options {
  std::vector<std::string> configs;
  std::vector<std::string> models;
  std::map<std::string_view, std::string>
      numbers;  // by hand or beside --config: option of a field -> its text
  std::string pairing;
  std::string scaling;
  std::string part;
  std::string axes;
  token_options tokens;
  std::string seq_len;
  std::string layer;
  std::vector<std::string> ignored;                                        // KEY=REASON
  std::optional<model::position_map> map = model::position_map::rotation;  // of the models that are read
  bool is_every_layer = false;  // `layer` was chosen by --layer all
};

/// The options of RoPE's fields, in the order of --help: the keys of which_options::numbers.
const std::vector<std::string_view>& rope_field_options();

template <class Options, class Visit>
requires std::is_same_v<std::remove_const_t<Options>, which_options>
void visit_options(Options& options, const Visit& visit) {
  visit("--config", options.configs);
  visit("--model", options.models);
  if constexpr (std::is_const_v<Options>)
    for (const auto& [option, text] : options.numbers) visit(option, text);
  else
    for (const std::string_view option : rope_field_options()) visit(option, options.numbers[option]);
  visit("--pairing", options.pairing);
  visit("--scaling", options.scaling);
  visit("--part", options.part);
  visit("--axes", options.axes);
  visit_options(options.tokens, visit);
  visit("--seq-len", options.seq_len);
  visit("--layer", options.layer);
  visit("--ignore-key", options.ignored);
}

/// The dtypes of these names, each once; all of them where none is named.
///
/// throws  bad_input naming dtype and its names
std::vector<ropewalk_dtype> chosen_dtypes(const std::vector<std::string>& names);

/// The first option given, with its value, so that a command which accepts none can refuse it. Both are empty
/// if none was given.
named_option first_named(const which_options& options);

/// The options as words of a command line: "--model", "llama-3.1-8b".
std::vector<std::string> which_words(const which_options& options);
/// Those of them that say where tokens stand: "--grid", "21x30x52".
std::vector<std::string> grid_words(const which_options& options);
/// All of them, quoted for a shell.
std::string command_text(const which_options& options);

/// The encodings that the options name, in the order --config, --model, by hand; empty if they name none. No
/// sequence length has been applied to them yet.
///
/// throws  bad_input naming the field, its value and what is allowed
std::vector<model::model> chosen_models(const which_options& options);

/// The same for a command that needs exactly one; refuses none and several.
model::model chosen_model(const which_options& options);

/// The same for a command that knows one position of a token: refuses a model of images, whose tokens stand
/// on axes.
///
/// throws  bad_input naming "which encoding"
model::model chosen_model_of_sequences(const which_options& options);
void require_sequences(const model::model& model);

/// An encoding as the layers of one kind have it.
struct choice_of_layers {
  which_options which;  // names one encoding
  std::string layers;   // their numbers in runs, "0-2, 4"; empty where the configuration has no number
};

/// With --layer all, a choice for each kind of layers that rotates, of each encoding that the options name.
struct choices_of_layers {
  std::vector<choice_of_layers> choices;
  std::string still;  // a line for each model that has layers without rotation
};

bool asks_every_layer(const which_options& options);

/// throws  bad_input naming the field, its value and what is allowed
choices_of_layers every_layer(const which_options& options);

/// Appends a line on the model, its warnings and, if verbose, its facts to session.understood.
void report_reading(const model::model& model, session& session);

}  // namespace ropewalk::command
