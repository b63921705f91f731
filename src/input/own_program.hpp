#pragma once
// Where this program lies: what belongs to it is looked for beside it, and nowhere else.

#include <filesystem>

namespace ropewalk::input {

/// The absolute path of the running program.
///
/// throws  missing_requirement if the system does not tell, as without /proc: a relative path would find what
///         another put into the working directory
std::filesystem::path own_program();

}  // namespace ropewalk::input
