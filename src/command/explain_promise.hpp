#pragma once
// ropewalk explain promise [NAME]: what a promise says, code that keeps it, and the error that it allows.

#include <string>

#include "command/command.hpp"

namespace ropewalk::command {

/// Prints the promise of that name; all of them beside one another without a name.
///
/// throws  std::invalid_argument if no promise has that name
exit_code explain_promise(const std::string& name, bool as_json);

}  // namespace ropewalk::command
