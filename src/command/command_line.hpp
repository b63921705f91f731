#pragma once
// A whole run of a program: parses the command line, runs one subcommand, and reports every failure as one
// line on stderr and an exit code.

#include <functional>

#include "command/command.hpp"
#include "command/parser.hpp"

namespace ropewalk::command {

/// Runs the command line with the subcommands that `add_commands` adds; the exit code of the program.
int run_command_line(int count, char** words, const std::function<void(parser&, session&)>& add_commands);

}  // namespace ropewalk::command
