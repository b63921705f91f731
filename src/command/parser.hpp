#pragma once
// Parser of the command line. Only parser.cpp includes CLI11, because CLI11 takes seconds to compile.

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "command/command.hpp"
#include "command/command_options.hpp"

namespace CLI {
class App;
}

namespace ropewalk::command {

/// What an argument is called in a refusal, and what is allowed there.
struct argument_meaning {
  std::string name;
  std::string allowed;
};

/// Keys are a command and an argument, "explain first".
using argument_meanings = std::map<std::string, std::function<argument_meaning()>>;

/// One subcommand: its options and arguments, and the function to run once the whole line has been read. The
/// variables that receive the values must outlive the parser.
class subcommand {
 public:
  subcommand(CLI::App& app, session& session, command_options& options, argument_meanings& meanings)
      : app_(&app), session_(&session), options_(&options), meanings_(&meanings) {}

  /// Adds the option or argument of that name if the table of options lists it for this command. Its heading,
  /// help, placeholder and completions are those of its row. Options of one heading appear in the order in
  /// which they are added.
  ///
  /// domain  a name in the table
  void take(std::string_view name, std::string& value);
  void take(std::string_view name, std::vector<std::string>& values);
  void take(std::string_view name, bool& flag);

  /// Sets how an empty argument is refused, if its meaning depends on the words before it. `meaning` is
  /// called after the whole line has been read, and may itself refuse those words.
  void meaning(const std::string& name, std::function<argument_meaning()> meaning);

  /// Sets the function that runs this command.
  void run(std::function<exit_code()> action);

 private:
  /// The row of an option of this command; null if the table lists it for other commands alone.
  const option_row* listed(std::string_view name);

  CLI::App* app_;
  session* session_;
  command_options* options_;
  argument_meanings* meanings_;
};

/// Adds every option of a struct that the command takes. visit_options(options, visit) calls visit(name,
/// value) for each.
template <class Options>
void take_all(subcommand& command, Options& options) {
  visit_options(options, [&](std::string_view name, auto& value) { command.take(name, value); });
}

/// The program's own flags and all its subcommands. Parsing stores the function to run in the session, which
/// must outlive the parser.
class parser {
 public:
  explicit parser(session& session);
  ~parser();

  /// Adds a command of the table of commands.
  subcommand add(const std::string& name);

  const program_options& options() const { return options_; }

  /// Parses the command line. Returns the text to print if it asks only for that (--help, --version).
  ///
  /// throws  std::invalid_argument, worded like every other refusal
  std::optional<std::string> parse(int count, char** words);

  /// What --help prints, for a terminal on standard error.
  std::string help() const;

 private:
  std::unique_ptr<CLI::App> app_;
  session* session_;
  program_options options_;
  argument_meanings meanings_;
};

}  // namespace ropewalk::command
