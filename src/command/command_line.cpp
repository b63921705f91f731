#include "command/command_line.hpp"

#include <exception>
#include <iostream>
#include <new>
#include <string>
#include <string_view>
#include <vector>

#include "command/completion.hpp"
#include "command/inherited_state.hpp"
#include "command/manual.hpp"
#include "command/shell_words.hpp"
#include "input/bad_input.hpp"
#include "input/unknown_name.hpp"
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

exit_code complain(std::string_view message, exit_code code) {
  std::string line(message);
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
std::vector<char*> without_help_word(int count, char** words, const program_options& program) {
  static char help[] = "--help";
  std::vector<char*> line(words, words + count);
  if (count < 2 || std::string_view(words[1]) != "help") return line;
  line.erase(line.begin() + 1);
  if (count == 2 || program.find(words[2]) != nullptr) line.push_back(help);
  return line;
}

/// Prints the manual page of a command, or of the program where none is named.
exit_code print_manual(const std::vector<std::string>& words, const program_options& program) {
  const std::string command = words.empty() ? "" : words.front();
  if (words.size() > 1) throw bad_input("argument", words[1], "one command");
  if (!command.empty() && program.find(command) == nullptr)
    throw input::unknown_name("command", command, program.command_names(), "`ropewalk --help`");
  std::cout << manual_page(command, program);
  return flush_output(exit_code::holds);
}

exit_code parse_and_run(int count, char** words, parser& program, session& session) {
  // `complete` is called by the completion scripts of shells (src/package/completion), and `man` by the build
  // (src/package/manual.cmake); --help does not list them.
  const std::string_view first = count > 1 ? words[1] : "";
  if (first == "complete") {
    std::cout << completions({words + 2, words + count}, program.options());
    return flush_output(exit_code::holds);
  }
  try {
    if (first == "man") return print_manual({words + 2, words + count}, program.options());
    std::vector<char*> line = without_help_word(count, words, program.options());
    if (const auto text = program.parse(static_cast<int>(line.size()), line.data())) {
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
