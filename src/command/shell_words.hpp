#pragma once
// Quoting of words for a shell.

#include <string>
#include <string_view>

namespace ropewalk::command {

/// `word`, quoted if necessary, so that a shell reads it as this one word.
std::string shell_quoted(std::string_view word);

}  // namespace ropewalk::command
