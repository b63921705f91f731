#pragma once
// Refuses configurations whose encoding is not a rotation or is not built, and gives the reason.

#include <string>

#include "input/json_text.hpp"

namespace ropewalk::model {

/// Refuses a model type that does not rotate, a flag that turns rotation off, and, if `needs_type`, a type
/// that is not listed.
///
/// shape   body: the object that holds the text model's keys, root or an object in it
/// throws  bad_input naming model_type or the flag
void refuse_what_does_not_rotate(const input::json& root, const input::json& body,
                                 const std::string& model_type, bool needs_type);

}  // namespace ropewalk::model
