#pragma once
// Interface of the subcommands. Each adds itself to the parser; the parser then stores in the session what to
// run once the whole command line has been read.

#include <functional>
#include <stdexcept>
#include <string>
#include <vector>

namespace ropewalk::command {

/// Exit codes of the program; scripts depend on these values.
enum class exit_code : int {
  holds = 0,      // the command succeeded; every law and comparison that it checked holds
  fails = 1,      // a law or a comparison failed
  bad_input = 2,  // bad usage or bad input: one line on stderr
  missing = 3     // a device, a layer, a program, memory or working precision is missing
};

/// State that the subcommands share during one run of the program.
struct session {
  bool verbose = false;
  bool quiet = false;
  // As typed, quoted for a shell, with the program spelled `ropewalk`; outputs record it.
  std::string command_line;
  // The words of the command line without the program's and the command's name.
  std::vector<std::string> arguments{};
  // Description of the request, held back until `announce`, so that a refusal is the only line on stderr.
  std::string understood;
  std::function<exit_code()> run{};  // set by the subcommand that was named
};

/// Prints session.understood to stderr, unless the session is quiet, and clears it. main calls it after a run
/// that did not throw; a long-running command calls it as soon as its options have been accepted.
void announce(session& session);

class parser;
class subcommand;

// One function per subcommand, in the file of that name here. It keeps its options in a shared_ptr that the
// function passed to subcommand::run captures, because that function runs only after the whole line has been
// parsed. Refused input throws bad_input (input/bad_input.hpp) or another std::invalid_argument: one line on
// stderr, exit code 2.
void add_table(parser& program, session& session);
void add_models(parser& program, session& session);
void add_apply(parser& program, session& session);
void add_verify(parser& program, session& session);
void add_explain(parser& program);
void add_guarantees(parser& program);
void add_devices(parser& program);
void add_plot(parser& program, session& session);
void add_report(parser& program, session& session);
void add_sweep(parser& program, session& session);
void add_bench(parser& program, session& session);
void add_vectors(parser& program, session& session);

}  // namespace ropewalk::command
