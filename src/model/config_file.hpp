#pragma once
// The file of a configuration.

#include <string>
#include <string_view>

#include "input/json_text.hpp"

namespace ropewalk::model {

/// The text of a config.json: a file, a directory that holds one, or - for standard input. Of a GGUF file,
/// what its header says, as JSON.
///
/// throws  bad_input naming config
std::string config_text(const std::string& path);

/// The configuration that such a text holds: a bare rope_parameters object stands in one, and a GGUF file's
/// keys are those of config.json.
///
/// throws  bad_input
input::json config_of(std::string_view text, const std::string& name);

}  // namespace ropewalk::model
