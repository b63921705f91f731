#pragma once
// Finds the keys of a configuration's text model, and the model's type.

#include <memory>
#include <string>

#include "input/json_text.hpp"

namespace ropewalk::model {

/// The object with the text model's keys.
struct text_body {
  const input::json* keys = nullptr;
  std::string path;        // "text_config", "thinker_config.text_config"; empty: the top level
  std::string model_type;  // empty: not stated
  std::string type_origin;
  // Owns the object of `keys` if the wrapper adds defaults of its own.
  std::shared_ptr<const input::json> filled{};
  std::string defaults{};  // the defaults added: "rope_theta 100000000, head_dim 128"
};

/// domain  root: a JSON object, which outlives the result
/// throws  bad_input if a wrapper's key is not an object
/// source  sub_configs of wrapper types in Hugging Face transformers; llm_config and language_config of
///         remote code
text_body text_body_of(const input::json& root);

}  // namespace ropewalk::model
