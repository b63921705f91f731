#pragma once
// Which keys of a configuration are about positions: one of these that is not read may mean another encoding.

#include <string_view>

#include "input/json_text.hpp"

namespace ropewalk::model {

/// Whether a key's name says that it affects positions.
bool is_about_positions(std::string_view key);

/// Whether every type reads a key, or none needs to: it does not change the rotation of any.
bool is_read_of_every_type(std::string_view key);

/// Whether a value is that of a feature that is not used: null, false, an empty list or object.
bool says_nothing(const input::json& value);

}  // namespace ropewalk::model
