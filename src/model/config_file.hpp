#pragma once
// Reads the file of a configuration.

#include <string>
#include <string_view>

#include "input/json_text.hpp"

namespace ropewalk::model {

/// The text of a config.json: a file, a directory with one, or - for standard input. For a GGUF file, its
/// header as JSON.
///
/// throws  bad_input naming config
std::string config_text(const std::string& path);

/// The configuration in such a text. A bare rope_parameters object is wrapped in one; a GGUF file's keys are
/// translated to those of config.json.
///
/// throws  bad_input
input::json config_of(std::string_view text, const std::string& name);

}  // namespace ropewalk::model
