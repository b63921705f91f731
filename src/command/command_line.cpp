#include "command/command_line.hpp"

#include <exception>
#include <iostream>
#include <new>
#include <string>
#include <string_view>
#include <vector>

#include "command/inherited_state.hpp"
#include "command/shell_words.hpp"
#include "input/bad_input.hpp"
#include "output/output_file.hpp"
#include "output/plain_text.hpp"
#include "output/terminal.hpp"
#include "ropewalk/numeric/round.hpp"
#include "transport/child.hpp"

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
  std::cerr << output::coloured("ropewalk: ", output::colour::red, output::stream::error)
            << output::plain_line(line) << "\n";
  return code;
}

exit_code out_of_memory() {
  return complain("out of memory; allowed: fewer threads or positions", exit_code::missing);
}

/// Flushes standard output and returns `code`, or exit_code::bad_input if not everything could be written. If
/// the reader has closed the pipe, as `head` does, the program ends by SIGPIPE, as other writers do.
exit_code flush_output(exit_code code) {
  std::cout.flush();
  if (std::cout) return code;
  if (output::is_output_closed()) output::end_by_closed_pipe();
  return complain(bad_input("stdout", "not writable", "a writable place with enough space").what(),
                  exit_code::bad_input);
}

exit_code run(session& session) {
  try {
    const exit_code code = session.run();
    announce(session);
    const exit_code written = flush_output(code);
    if (transport::processes_outlive)
      return complain(
          "processes of a kernel outlive this run: they start others faster than they can be ended",
          exit_code::missing);
    return written;
  } catch (const missing_requirement& error) {
    return complain(error.what(), exit_code::missing);
  } catch (const std::invalid_argument& error) {
    return complain(error.what(), exit_code::bad_input);
  } catch (const undecided& error) {
    return complain(
        std::string(error.what()) + ": the correct rounding is not decided at the largest working precision",
        exit_code::missing);
  } catch (const std::bad_alloc&) {
    return out_of_memory();
  } catch (const std::exception& error) {
    return complain(error.what(), exit_code::missing);
  }
}

/// `help` and `help COMMAND` are --help and COMMAND --help; an unknown command stands alone, and is refused.
std::vector<char*> without_help_word(int count, char** words, const parser& program) {
  static char help[] = "--help";
  std::vector<char*> r(words, words + count);
  if (count < 2 || std::string_view(words[1]) != "help") return r;
  r.erase(r.begin() + 1);
  if (count == 2 || program.has(words[2])) r.push_back(help);
  return r;
}

exit_code parse_and_run(int count, char** words, parser& program, session& session) {
  // `complete` is called by the shell completion scripts (src/package/completion); --help does not list it.
  if (count > 1 && std::string_view(words[1]) == "complete") {
    std::cout << program.completions({words + 2, words + count});
    return flush_output(exit_code::holds);
  }
  try {
    std::vector<char*> asked = without_help_word(count, words, program);
    if (const auto text = program.parse(static_cast<int>(asked.size()), asked.data())) {
      std::cout << *text;
      return flush_output(exit_code::holds);
    }
  } catch (const std::invalid_argument& error) {
    return complain(error.what(), exit_code::bad_input);
  }
  if (!session.run) {
    complain("command is missing; allowed: one of those below", exit_code::bad_input);
    std::cerr << "\n" << program.help();
    return exit_code::bad_input;
  }
  return run(session);
}

}  // namespace

int run_command_line(int count, char** words, const std::function<void(parser&, session&)>& add_commands) {
  try {
    repair_inherited_state();
    output::install_cleanup_on_signals();
    session session;
    session.command_line = command_line(count, words);
    parser program(session);
    add_commands(program, session);
    return static_cast<int>(parse_and_run(count, words, program, session));
  } catch (const std::bad_alloc&) {  // before a command runs
    return static_cast<int>(out_of_memory());
  } catch (const std::exception& error) {
    return static_cast<int>(complain(error.what(), exit_code::missing));
  }
}

}  // namespace ropewalk::command
