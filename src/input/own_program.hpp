#pragma once
// Location of the running program. Its other parts are looked for beside it, and nowhere else.

#include <filesystem>

namespace ropewalk::input {

/// The absolute path of the running program.
///
/// throws  missing_requirement if the system does not report it, for example without /proc. A relative path
///         could find files that somebody else put into the working directory.
std::filesystem::path own_program();

}  // namespace ropewalk::input
