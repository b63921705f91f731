#pragma once
// The commands: what --help and the manual say of each beside its options.

#include <string>
#include <string_view>
#include <vector>

namespace ropewalk::command {

struct command_row {
  std::string_view name;                        // empty: the program itself
  std::string_view summary;                     // one line
  std::vector<std::string_view> description{};  // paragraphs, in the manual alone
  std::vector<std::string_view> notes{};        // paragraphs below the options in --help and in the manual
  std::vector<std::string_view> examples{};     // without the program's name

  /// The examples as typed: the program's name begins each unless another program does.
  std::vector<std::string> typed_examples() const;

  /// What --help prints below the options.
  std::string footer() const;
};

/// The program itself.
const command_row& program_row();

/// Every command, in the order of the program's --help.
const std::vector<command_row>& command_table();

/// domain  a command in the table
const command_row& command_named(std::string_view name);

/// A fact that the manual lists: an exit code, or a variable of the environment.
struct manual_entry {
  std::string_view name;
  std::string_view text;
  std::vector<std::string_view> commands{};  // empty: all
};

const std::vector<manual_entry>& exit_codes();
const std::vector<manual_entry>& environment_variables();

}  // namespace ropewalk::command
