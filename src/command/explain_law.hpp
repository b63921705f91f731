#pragma once
// ropewalk explain law NAME: a law's statement, bound and proof, and a fault that it catches.

#include <string>

#include "command/command.hpp"

namespace ropewalk::command {

/// Prints every law of that name: kernels and tables of different kinds may each have one.
///
/// throws  std::invalid_argument if no law has that name
exit_code explain_law(const std::string& name, bool as_json);

}  // namespace ropewalk::command
