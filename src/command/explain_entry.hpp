#pragma once
// ropewalk explain entry POSITION PAIR: one entry of a model's rotary tables.

#include <string>

#include "command/command.hpp"
#include "command/which.hpp"

namespace ropewalk::command {

/// Prints one entry; `position` and `pair` are the texts of the arguments.
///
/// throws  bad_input naming the position, the pair or the model
exit_code explain_entry(const which_options& which, const std::string& position, const std::string& pair,
                        bool as_json);

}  // namespace ropewalk::command
