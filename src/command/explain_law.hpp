#pragma once
// ropewalk explain law NAME: a law's statement, bound and proof, and a fault that it catches.

#include <string>

#include "command/command.hpp"

namespace ropewalk::command {

/// What a refusal says is allowed as the name of a law.
inline constexpr const char* allowed_laws = "a name that `ropewalk verify --list` lists";

/// Prints every law of that name: kernels and tables of different kinds may each have one.
///
/// throws  std::invalid_argument if no law has that name
exit_code explain_law(const std::string& name, bool as_json);

}  // namespace ropewalk::command
