#pragma once
// Options that choose positions, shared by `table` and `apply`.

#include <cstdint>
#include <string>

#include "command/command.hpp"
#include "input/positions.hpp"

namespace ropewalk::command {

/// The options as typed; empty if not given.
struct position_options {
  std::string positions;
  std::string real_positions;
};

/// Adds --positions.
void add_positions_option(subcommand& command, position_options& options);

/// Adds --positions-f64, for commands whose numbers are exact at any real position.
void add_real_positions_option(subcommand& command, position_options& options);

/// The positions that the options name, else 0 .. usual - 1. If `usual` is 0, no configuration gives a number
/// of positions, and the default is input::default_positions.
///
/// throws  bad_input naming the option
input::position_list chosen_positions(const position_options& options, std::int64_t usual);

}  // namespace ropewalk::command
