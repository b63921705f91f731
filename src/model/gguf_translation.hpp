#pragma once
// The header of a GGUF file in the words of config.json.

#include <string_view>

#include "input/json_text.hpp"

namespace ropewalk::model {

// Keys of such a configuration beside those of config.json.
inline constexpr const char* origins_key = "gguf_origins";        // the file's key of each
inline constexpr const char* warnings_key = "gguf_warnings";      // lines
inline constexpr const char* unread_key = "gguf_unread";          // keys about the rotation that are not read
inline constexpr const char* fourth_row_key = "gguf_fourth_row";  // pairs

/// The configuration that a header says. What the file does not store is the architecture's.
///
/// throws  bad_input naming the key
input::json translated(const input::json& metadata);

}  // namespace ropewalk::model
