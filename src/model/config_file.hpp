#pragma once
// The file of a configuration.

#include <string>

namespace ropewalk::model {

/// The text of a config.json: a file, a directory that holds one, or - for standard input.
///
/// throws  bad_input naming config
std::string config_text(const std::string& path);

}  // namespace ropewalk::model
