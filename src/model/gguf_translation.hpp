#pragma once
// Translates the header of a GGUF file to the keys of config.json.

#include <string_view>

#include "input/json_text.hpp"

namespace ropewalk::model {

// Additional keys of a translated configuration.
inline constexpr const char* origins_key = "gguf_origins";    // maps each key to the file's key
inline constexpr const char* warnings_key = "gguf_warnings";  // list of lines
inline constexpr const char* unread_key = "gguf_unread";      // keys about the rotation that were not read
inline constexpr const char* fourth_row_key = "gguf_fourth_row";  // list of pairs

/// The configuration of a header. Values that the file does not store come from the architecture.
///
/// throws  bad_input naming the key
input::json translated(const input::json& metadata);

}  // namespace ropewalk::model
