#pragma once
// The command line that an output records.

#include <string>
#include <string_view>
#include <vector>

namespace ropewalk::command {

/// "ropewalk COMMAND ARGUMENTS", quoted for a shell, without --output and --quiet, which change nothing in
/// what is written: equal outputs record equal commands.
std::string recorded_command(std::string_view command, const std::vector<std::string>& arguments);

}  // namespace ropewalk::command
