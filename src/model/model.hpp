#pragma once
// A model's positions, read from its Hugging Face config.json: what every command works on.

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "ropewalk/config/given.hpp"
#include "ropewalk/config/head_layout.hpp"
#include "ropewalk/config/rope.hpp"

namespace ropewalk::model {

/// A rotary encoding with the story of where its numbers came from.
struct model {
  std::string name;        // catalogue name, the path as given, or "by hand"
  std::string model_type;  // empty when given by hand
  rope encoding{};
  bool base_is_default = false;  // no key gave it: what the model type's own code falls back to
  head_layout layout{};
  std::int64_t max_position_embeddings = 0;  // 0: not given
  std::vector<std::string> notes;            // what was taken, from where, and why; one line each
  std::vector<std::string> warnings;  // conflicts, both values named; keys about positions that were not used
  std::string source;                 // the public source of the numbers, where the file names one
  std::string config;                 // the configuration as JSON text
};

/// The encoding that a config.json describes. A pairing that is given overrides the model type's.
///
/// domain  text: a JSON object, UTF-8, at most largest_config bytes, nested at most deepest_config levels, no
///         key twice
/// throws  bad_input naming the field, its value and what is allowed
/// source  one table of key names and pairings in src/model/model_type.hpp; precedence as Hugging Face
///         transformers
model parse_model(std::string_view text, std::string name, given<pairing> override_pairing = {});

/// The same from a file, a directory that holds a config.json, or - for standard input.
model read_model(const std::string& path, given<pairing> override_pairing = {});

/// An encoding given by hand; `scaling_json` is the JSON of a rope_scaling block, empty for none.
model model_by_hand(double base, std::int64_t head_dim, std::int64_t rotary_dim, pairing layout,
                    std::string_view scaling_json);

/// Names of the built-in models, in alphabetical order.
std::vector<std::string> catalogue_names();

/// throws  bad_input listing the names when there is no such model
model catalogue_model(std::string_view name);

/// One line: rotary_dim, base, pairing, rule, L and factor.
std::string summary(const model& of);

/// The rule's factor, 1 for no rule; and L, 0 for a rule without one.
double factor_of(const rope_scaling& scaling);
double original_length_of(const rope_scaling& scaling);

}  // namespace ropewalk::model
