#pragma once
// Recognises configuration keys about positions. An unread one may mean another encoding.

#include <string_view>

#include "input/json_text.hpp"

namespace ropewalk::model {

/// Whether a key's name indicates that it affects positions.
bool is_about_positions(std::string_view key);

/// Whether a key is harmless in every type: read by all, or without effect on the rotation.
bool is_read_of_every_type(std::string_view key);

/// Whether a value disables its feature: null, false, an empty list or object.
bool says_nothing(const input::json& value);

}  // namespace ropewalk::model
