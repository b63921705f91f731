#pragma once
// Where in a configuration the keys of its text model stand, and of which type that model is.

#include <memory>
#include <string>

#include "input/json_text.hpp"

namespace ropewalk::model {

/// The object that holds the text model's keys.
struct text_body {
  const input::json* keys = nullptr;
  std::string path;        // "text_config", "thinker_config.text_config"; empty: the top level
  std::string model_type;  // empty: nothing says it
  std::string type_origin;
  std::shared_ptr<const input::json>
      filled{};            // what keys points to, where the wrapper has defaults of its own
  std::string defaults{};  // "rope_theta 100000000, head_dim 128": those that fill it
};

/// domain  root: a JSON object, which outlives the result
/// throws  bad_input where a wrapper's key is no object
/// source  sub_configs of the types that hold others in Hugging Face transformers; llm_config and
///         language_config of remote code
text_body text_body_of(const input::json& root);

}  // namespace ropewalk::model
