#pragma once
// Which positions: the options that commands with tokens share.

#include <cstdint>
#include <string>

#include "command/command.hpp"
#include "input/positions.hpp"

namespace ropewalk::command {

/// The options as typed; empty where not.
struct position_options {
  std::string positions;
  std::string real_positions;
};

/// Adds --positions.
void add_positions_option(subcommand& command, position_options& options);

/// Adds --positions-f64, for commands whose numbers are exact at any real position.
void add_real_positions_option(subcommand& command, position_options& options);

/// The positions that were named, or else 0 .. usual - 1; `usual` of 0 means that no configuration says how many.
///
/// throws  bad_input naming the option
input::position_list chosen_positions(const position_options& options, std::int64_t usual);

}  // namespace ropewalk::command
