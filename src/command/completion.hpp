#pragma once
// Completions for shells, from the table of options.

#include <string>
#include <vector>

#include "command/command_options.hpp"

namespace ropewalk::command {

/// Completions of the last of `words`, one per line, each followed by a tab and its meaning if that is known.
/// `words` are the words after the program's name; the last one may be empty. Returns no completions for
/// values without a list of names, such as files, which shells complete themselves. `--option=value` is one
/// word; NAME=WORD is completed up to its = first.
std::string completions(const std::vector<std::string>& words, const program_options& program);

}  // namespace ropewalk::command
