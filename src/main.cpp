// ropewalk: the program. Reads the command line, runs one subcommand, and turns every failure into one line
// and a code.

#include <CLI/App.hpp>
#include <CLI/Config.hpp>
#include <CLI/Formatter.hpp>
#include <algorithm>
#include <exception>
#include <iostream>
#include <new>
#include <string>
#include <string_view>
#include <vector>

#include "command/command.hpp"
#include "command/shell_words.hpp"
#include "export/output_file.hpp"
#include "export/terminal.hpp"
#include "input/bad_input.hpp"
#include "ropewalk/numeric/round.hpp"
#include "ropewalk/version.hpp"

namespace ropewalk::command {
namespace {

std::string command_line(int count, char** words) {
  std::string line = "ropewalk";
  for (int i = 1; i < count; ++i) line += " " + shell_quoted(words[i]);
  return line;
}

exit_code complain(std::string_view what, exit_code code) {
  std::string line(what);
  for (char& letter : line)
    if (letter == '\n' || letter == '\r') letter = ' ';
  std::cerr << output::coloured("ropewalk: ", output::colour::red, output::stream::error) << line << "\n";
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
  } catch (const undecided& error) {
    return complain(
        std::string(error.what()) + ": a correct rounding is not decided within the cap of working precision",
        exit_code::missing);
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

std::string joined(const std::vector<std::string>& words) {
  std::string text;
  for (const std::string& word : words) text += (text.empty() ? "" : " ") + word;
  return text;
}

std::string without_dashes(std::string_view option) {
  option.remove_prefix(std::min(option.find_first_not_of('-'), option.size()));
  return printable(option);
}

/// What the parser refused, in the words of every other refusal.
std::string usage_error(const CLI::ParseError& error, const CLI::App& app) {
  std::string place = "ropewalk";
  for (const CLI::App* sub : app.get_subcommands()) place += " " + sub->get_name();
  const std::string what = error.what();
  const std::string see = "; allowed: see " + place + " --help";
  if (dynamic_cast<const CLI::ExtrasError*>(&error) != nullptr)
    return "argument is " + printable(joined(app.remaining(true))) + see;
  const std::size_t colon = what.find(": ");
  if (dynamic_cast<const CLI::ArgumentMismatch*>(&error) == nullptr || colon == std::string::npos)
    return "usage is wrong (" + printable(what) + ")" + see;
  const std::string field = without_dashes(what.substr(0, colon));
  if (what.ends_with("missing")) return field + " is missing; allowed: --" + field + " followed by its value";
  const std::string received = "received ";
  const std::size_t count = what.rfind(received);
  const std::string times = count == std::string::npos ? "more than 1" : what.substr(count + received.size());
  return field + " is given " + printable(times) + " times; allowed: once";
}

/// An option that was given an empty value is not one that was left out.
void refuse_empty_values(const CLI::App& app) {
  for (const CLI::App* sub : app.get_subcommands())
    for (const CLI::Option* option : sub->get_options())
      for (const std::string& value : option->results())
        if (value.empty())
          throw bad_input(without_dashes(option->get_name()), "empty",
                          "a value; see ropewalk " + sub->get_name() + " --help");
}

exit_code main_program(int count, char** words) {
  output::install_cleanup_on_signals();
  session session;
  session.command_line = command_line(count, words);
  CLI::App app("Exact transformer positional encodings, and a tool that holds kernels to their laws.");
  add_program_options(app, session);
  add_verify(app, session);
  add_table(app, session);
  add_apply(app, session);
  add_models(app, session);
  add_explain(app, session);
  add_guarantees(app, session);
  add_devices(app, session);
  add_bench(app, session);
  try {
    app.parse(count, words);
    refuse_empty_values(app);
  } catch (const CLI::Success& wanted) {  // --help, --version
    app.exit(wanted, std::cout, std::cerr);
    return flush_output(exit_code::holds);
  } catch (const CLI::ParseError& error) {
    return complain(usage_error(error, app), exit_code::bad_input);
  } catch (const bad_input& error) {
    return complain(error.what(), exit_code::bad_input);
  }
  if (!session.run) return complain("command is missing; allowed: see ropewalk --help", exit_code::bad_input);
  return run(session);
}

}  // namespace
}  // namespace ropewalk::command

int main(int count, char** words) { return static_cast<int>(ropewalk::command::main_program(count, words)); }
