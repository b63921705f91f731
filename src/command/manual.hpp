#pragma once
// Manual pages in roff, from the tables of commands and options.

#include <string>

#include "command/command_options.hpp"

namespace ropewalk::command {

/// The page of a command, or of the program for an empty name: ropewalk-verify.1 or ropewalk.1.
///
/// domain  a command of the program
std::string manual_page(const std::string& command, const program_options& program);

}  // namespace ropewalk::command
