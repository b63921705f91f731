#pragma once
// ropewalk explain extrapolation: what lies beyond the length that a model was trained at, measured for its
// rope, for every other encoding beside it, and for every rule of context extension.

#include <string>

#include "command/command.hpp"
#include "command/which.hpp"

namespace ropewalk::command {

/// `trained` and `target` are texts of options; empty: the original length, and the model's own longest.
///
/// throws  bad_input naming the field, its value and what is allowed
exit_code explain_extrapolation(const which_options& which, const std::string& trained,
                                const std::string& target, bool as_json);

}  // namespace ropewalk::command
