#pragma once
// The options and arguments of a command, and how the words of a line are read by them.

#include <deque>
#include <string>
#include <string_view>
#include <vector>

#include "command/option/option_row.hpp"

namespace ropewalk::command {

/// A command with its options and arguments, in the order of --help.
struct command_options {
  std::string name;  // empty: the program itself
  std::vector<const option_row*> rows{};

  /// The option that a word names, without its value; null if there is none.
  const option_row* option_in(const std::string& word) const;

  std::vector<const option_row*> arguments() const;
};

/// The program's own options, and every command.
struct program_options {
  command_options own;
  std::deque<command_options> commands{};  // whose addresses stay

  /// The command of that name; null if there is none.
  const command_options* find(const std::string& name) const;

  std::vector<std::string> command_names() const;

  /// The names of a command's options, if there is a command, and of the program's own options, each once.
  std::vector<std::string> option_names(const command_options* command) const;

  /// The command's or the program's option that a word names; null if there is none.
  const option_row* option_in(const std::string& word, const command_options* command) const;
};

/// Whether a word is an option where options may stand; -5 is a number, and - is standard input.
bool is_option(std::string_view word);

/// Where the next word of a line stands, after the words that were read, as the parser reads them.
class line_place {
 public:
  /// command  null before the command
  line_place(const program_options& program, const command_options* command)
      : program_(program), command_(command) {}

  void read(const std::string& word);

  /// The words that are neither options nor their values.
  const std::vector<std::string>& arguments() const { return arguments_; }

  bool is_after_mark() const { return is_after_mark_; }
  bool may_be_option() const { return !needs_value_ && !is_after_mark_; }

  /// The option or argument whose value the next word is, unless that is an option; null if there is none.
  const option_row* value_row() const;

 private:
  void read_option(const std::string& word);

  const program_options& program_;
  const command_options* command_;
  std::vector<std::string> arguments_{};
  const option_row* open_ = nullptr;  // the option that takes the next word, unless that is an option
  bool needs_value_ = false;          // the next word is the first value of `open_`, whatever it looks like
  bool is_after_mark_ = false;        // -- stood before, and nothing is an option any more
};

}  // namespace ropewalk::command
