#pragma once
// Reads a command line. The library that does it is seen by parser.cpp alone: it takes seconds to compile.

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

/// Commands that hand their arguments on, by name.
using forwarding = std::map<std::string, std::function<exit_code(std::vector<std::string>)>>;

/// One subcommand: what it takes, and what it does once the whole line has been read. Places that values are written to
/// must outlive the parser.
class subcommand {
 public:
  subcommand(CLI::App& app, session& of, forwarding& commands)
      : app_(&app), session_(&of), forwarding_(&commands) {}

  /// Options added from here on stand under this heading of --help.
  void heading(std::string text) { heading_ = std::move(text); }

  /// An option, or without dashes an argument, that may be given once. `value` is what --help calls its value.
  void option(const std::string& name, std::string& place, const std::string& value, const std::string& text);

  /// An option that takes words up to the next option, and may be given again.
  void option(const std::string& name, std::vector<std::string>& place, const std::string& value,
              const std::string& text);

  /// An option that takes one word, and may be given again.
  void repeated_option(const std::string& name, std::vector<std::string>& place, const std::string& value,
                       const std::string& text);

  void flag(const std::string& name, bool& place, const std::string& text);

  /// A flag that calls what it is given.
  void flag(const std::string& name, std::function<void()> when_given, const std::string& text);

  /// Stands below the options in --help.
  void footer(const std::string& text);

  void run(std::function<exit_code()> what);

  /// The same for a command that hands every argument on as it was typed; it reads --help alone, where that is all.
  void run_with_arguments(std::function<exit_code(std::vector<std::string>)> what);

 private:
  CLI::App* app_;
  session* session_;
  forwarding* forwarding_;
  std::string heading_;
};

/// The program's own flags and all its subcommands. The session, which must outlive it, learns what is to be run.
class parser {
 public:
  explicit parser(session& of);
  ~parser();

  subcommand add(const std::string& name, const std::string& what_it_does);

  /// Reads the words. Where they ask for a text alone (--help, --version), that text.
  ///
  /// throws  std::invalid_argument, in the words of every other refusal
  std::optional<std::string> parse(int count, char** words);

 private:
  std::unique_ptr<CLI::App> app_;
  session* session_;
  forwarding forwarding_;
};

}  // namespace ropewalk::command
