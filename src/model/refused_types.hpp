#pragma once
// Refuses configurations whose encoding is no rotation, or one that is not built, by its true reason.

#include <string>

#include "input/json_text.hpp"

namespace ropewalk::model {

/// Refuses a model type that does not rotate, a flag that says so, and a type that is not listed if
/// `needs_type`.
///
/// shape   body: the object that holds the text model's keys, root or an object in it
/// throws  bad_input naming model_type or the flag
void refuse_what_does_not_rotate(const input::json& root, const input::json& body,
                                 const std::string& model_type, bool needs_type);

}  // namespace ropewalk::model
