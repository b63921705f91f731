#pragma once
// Which encoding: the options that every command shares.

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "command/command.hpp"
#include "model/model.hpp"

namespace ropewalk::command {

/// The options as typed; numbers stay text until they are read, so that a refusal can name field and value.
struct which_options {
  std::vector<std::string> configs;
  std::vector<std::string> models;
  std::map<std::string_view, std::string> numbers;  // by hand: a field's option in the catalogue -> its text
  std::string pairing;
  std::string scaling;
  std::string seq_len;
  std::string layer_type;
};

enum class how_many { one, any };

/// Adds --config, --model, the catalogue's fields (--base, --rotary-dim, --head-dim), --pairing, --scaling,
/// --seq-len and --layer-type.
void add_which_options(subcommand& command, which_options& options, how_many count);

/// The first option given, with its value, so that a command which accepts none can refuse it; both empty where
/// none was given.
struct named_option {
  std::string name;
  std::string value;
};
named_option first_named(const which_options& options);

/// The encodings named, in the order config, model, by hand; none when no option names one. None has a length yet.
///
/// throws  bad_input naming the field, its value and what is allowed
std::vector<model::model> chosen_models(const which_options& options);

/// The same where exactly one is needed.
model::model chosen_model(const which_options& options);

/// Keeps a line on the model, and its warnings, in the session for `announce`.
void tell(const model::model& model, session& session);

}  // namespace ropewalk::command
