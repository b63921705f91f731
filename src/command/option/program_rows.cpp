// Options of the program, which stand before a command or behind it.

#include "command/option/command_table.hpp"
#include "command/option/rows.hpp"

namespace ropewalk::command {
namespace {

/// The program, and every command.
std::vector<option_use> uses_everywhere() {
  std::vector<option_use> uses{{""}};
  for (const command_row& row : command_table()) uses.push_back({row.name});
  return uses;
}

}  // namespace

std::vector<option_row> program_rows() {
  using enum option_words;
  return {
      {.name = "--help",
       .short_name = "-h",
       .words = flag,
       .help = "Print this help message and exit",
       .uses = uses_everywhere()},
      {.name = "--version",
       .short_name = "-V",
       .words = flag,
       .help = "Display program version information and exit",
       .uses = {{""}}},
      {.name = "--verbose",
       .words = flag,
       .help = "say more on stderr: what was taken from a config, and why",
       .uses = {{""}}},
      {.name = "--quiet", .words = flag, .help = "say nothing on stderr but errors", .uses = {{""}}},
  };
}

}  // namespace ropewalk::command
