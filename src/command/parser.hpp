#pragma once
// Parser of the command line. Only parser.cpp includes CLI11, because CLI11 takes seconds to compile.

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "command/command.hpp"

namespace CLI {
class App;
}

namespace ropewalk::command {

/// Returns the values that an option or argument accepts, for shell completion. `before` holds the command
/// and the arguments before the completed word, without options and their values.
using value_names = std::function<std::vector<std::string>(const std::vector<std::string>& before)>;

/// The values of one option or argument: names, or parts that a value joins by commas.
struct known_value {
  value_names names;
  std::vector<std::string> parts;
};

/// Keys are a command and an option ("verify --model"), or a command and an argument ("table kind").
using known_values = std::map<std::string, known_value>;

/// What an argument is called in a refusal, and what is allowed there.
struct argument_meaning {
  std::string name;
  std::string allowed;
};

/// Keys as in known_values.
using argument_meanings = std::map<std::string, std::function<argument_meaning()>>;

/// One subcommand: its options and arguments, and the function to run once the whole line has been read. The
/// variables that receive the values must outlive the parser.
class subcommand {
 public:
  subcommand(CLI::App& app, session& of, known_values& values, argument_meanings& meanings)
      : app_(&app), session_(&of), values_(&values), meanings_(&meanings) {}

  /// Sets the heading of --help for the options added from here on; `example` shows their use.
  void heading(std::string text, const std::string& example = "");

  /// Adds an option, or an argument if `name` has no dashes, that may be given once. --help shows `value` as
  /// the placeholder for its value.
  void option(const std::string& name, std::string& place, const std::string& value, const std::string& text);

  /// Adds an option that takes all words up to the next option and may be repeated.
  void option(const std::string& name, std::vector<std::string>& place, const std::string& value,
              const std::string& text);

  /// Adds an option that takes one word and may be repeated.
  void repeated_option(const std::string& name, std::vector<std::string>& place, const std::string& value,
                       const std::string& text);

  void flag(const std::string& name, bool& place, const std::string& text);

  /// Adds a flag that calls `when_given`.
  void flag(const std::string& name, std::function<void()> when_given, const std::string& text);

  /// Sets the names that shells offer as completions for the value of an option or argument.
  void values(const std::string& name, value_names names);
  void values(const std::string& name, std::vector<std::string> names);

  /// Sets the parts, such as "angle=f32", that shells offer beside those names and behind each comma. A part
  /// is offered once.
  void parts(const std::string& name, std::vector<std::string> parts);

  /// Sets how an empty argument is refused, if its meaning depends on the words before it. `what` is called
  /// after the whole line has been read, and may itself refuse those words.
  void meaning(const std::string& name, std::function<argument_meaning()> what);

  /// Sets the text below the options in --help.
  void footer(const std::string& text);

  /// Sets the function that runs this command.
  void run(std::function<exit_code()> what);

 private:
  CLI::App* app_;
  session* session_;
  known_values* values_;
  argument_meanings* meanings_;
  std::string heading_;
};

/// The program's own flags and all its subcommands. Parsing stores the function to run in the session, which
/// must outlive the parser.
class parser {
 public:
  explicit parser(session& of);
  ~parser();

  subcommand add(const std::string& name, const std::string& what_it_does);

  /// Whether there is such a subcommand.
  bool has(const std::string& name) const;

  /// Parses the command line. Returns the text to print if it asks only for that (--help, --version).
  ///
  /// throws  std::invalid_argument, worded like every other refusal
  std::optional<std::string> parse(int count, char** words);

  /// What --help prints, for a terminal on standard error.
  std::string help() const;

  /// Completions of the last of `words`, one per line, each followed by a tab and its meaning if that is
  /// known. `words` are the words after the program's name; the last one may be empty. Returns no completions
  /// for values without a list of names, such as files, which shells complete themselves. `--option=value` is
  /// one word; NAME=WORD is completed up to its = first.
  std::string completions(const std::vector<std::string>& words) const;

 private:
  std::unique_ptr<CLI::App> app_;
  session* session_;
  known_values values_;
  argument_meanings meanings_;
};

}  // namespace ropewalk::command
