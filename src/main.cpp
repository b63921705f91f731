// ropewalk: the program. Reads the command line, runs one subcommand, and turns every failure into one line
// and a code.

#include <CLI/App.hpp>
#include <CLI/Config.hpp>
#include <CLI/Formatter.hpp>
#include <exception>
#include <iostream>
#include <new>
#include <string>

#include "command/command.hpp"
#include "model/bad_input.hpp"
#include "ropewalk/version.hpp"
#include "writer/output_file.hpp"
#include "writer/terminal.hpp"

namespace ropewalk::command {
namespace {

/// One word as a shell would have to be given it.
std::string quoted(std::string_view word) {
  constexpr std::string_view plain =
      "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_./:=,+@%-";
  if (!word.empty() && word.find_first_not_of(plain) == std::string_view::npos) return std::string(word);
  std::string text = "'";
  for (const char letter : word) text += letter == '\'' ? std::string("'\\''") : std::string(1, letter);
  return text + "'";
}

std::string command_line(int count, char** words) {
  std::string line = "ropewalk";
  for (int i = 1; i < count; ++i) line += " " + quoted(words[i]);
  return line;
}

exit_code complain(std::string_view what, exit_code code) {
  std::string line(what);
  for (char& letter : line)
    if (letter == '\n' || letter == '\r') letter = ' ';
  std::cerr << writer::coloured("ropewalk: ", writer::colour::red, writer::stream::error) << line << "\n";
  return code;
}

/// What was printed must have arrived, or nothing was done.
exit_code flush_output(exit_code code) {
  std::cout.flush();
  if (std::cout) return code;
  return complain(bad_input("stdout", "not writable", "a place that can be written and has room").what(),
                  exit_code::bad_input);
}

exit_code run(session& session) {
  try {
    const exit_code code = session.run();
    announce(session);
    return flush_output(code);
  } catch (const missing_requirement& error) {
    return complain(error.what(), exit_code::missing);
  } catch (const std::invalid_argument& error) {
    return complain(error.what(), exit_code::bad_input);
  } catch (const std::bad_alloc&) {
    return complain("memory is exhausted; allowed: fewer threads or positions", exit_code::missing);
  } catch (const std::exception& error) {
    return complain(error.what(), exit_code::missing);
  }
}

void add_program_options(CLI::App& app, session& session) {
  app.name("ropewalk");
  app.fallthrough();
  app.set_version_flag("--version", std::string("ropewalk ") + version);
  app.add_flag("--verbose", session.verbose, "say more on stderr: what was taken from a config, and why");
  app.add_flag("--quiet", session.quiet, "say nothing on stderr but errors");
  app.footer(
      "Examples:\n"
      "  ropewalk verify --config config.json\n"
      "  ropewalk table inv-freq --config config.json --dtype f32 --output inv_freq.npy\n"
      "  ropewalk table cos --model llama-3.1-8b --positions 4096 --dtype bf16 --output cos.npy\n"
      "  ropewalk models\n"
      "Exit codes: 0 holds, 1 a law or a comparison failed, 2 bad usage or input, 3 something required is "
      "missing");
}

/// What the parser refused, in the words of every other refusal.
std::string usage_error(const CLI::ParseError& error, const CLI::App& app) {
  std::string place = "ropewalk";
  for (const CLI::App* sub : app.get_subcommands()) place += " " + sub->get_name();
  std::string unexpected;
  for (const std::string& word : app.remaining(true)) unexpected += (unexpected.empty() ? "" : " ") + word;
  if (dynamic_cast<const CLI::ExtrasError*>(&error) != nullptr)
    return "argument is " + printable(unexpected) + "; allowed: see " + place + " --help";
  return printable(error.what()) + "; allowed: see " + place + " --help";
}

exit_code main_program(int count, char** words) {
  writer::install_cleanup_on_signals();
  session session;
  session.command_line = command_line(count, words);
  CLI::App app("Exact transformer positional encodings, and a tool that holds kernels to their laws.");
  add_program_options(app, session);
  add_verify(app, session);
  add_table(app, session);
  add_apply(app, session);
  add_models(app, session);
  add_guarantees(app, session);
  try {
    app.parse(count, words);
  } catch (const CLI::Success& wanted) {  // --help, --version
    app.exit(wanted, std::cout, std::cerr);
    return flush_output(exit_code::holds);
  } catch (const CLI::ParseError& error) {
    return complain(usage_error(error, app), exit_code::bad_input);
  }
  if (!session.run) return complain("command is missing; allowed: see ropewalk --help", exit_code::bad_input);
  return run(session);
}

}  // namespace
}  // namespace ropewalk::command

int main(int count, char** words) { return static_cast<int>(ropewalk::command::main_program(count, words)); }
