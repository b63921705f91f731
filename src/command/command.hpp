#pragma once
// What a subcommand is: it adds itself to the parser, and says what to run once the whole line has been read.

#include <functional>
#include <stdexcept>
#include <string>

namespace ropewalk::command {

/// What the shell sees; scripts depend on it.
enum class exit_code : int {
  holds = 0,      // everything asked for holds
  fails = 1,      // a law or a comparison failed
  bad_input = 2,  // bad usage or bad input: one line on stderr
  missing = 3     // a device, a layer, a program or memory is missing
};

/// What all subcommands share of one run of the program.
struct session {
  bool verbose = false;
  bool quiet = false;
  std::string
      command_line;        // as typed, quoted for a shell, the program spelled `ropewalk`: outputs record it
  std::string understood;  // what was understood, kept until `announce`: a refusal stands alone on stderr
  std::function<exit_code()> run{};  // set by the subcommand that was named
};

/// Prints and forgets what was understood, unless the session is quiet. Main does it after a run that did not
/// throw; a command that works long may do it as soon as nothing it was given can still be refused.
void announce(session& session);

class parser;
class subcommand;

// One function a subcommand, in src/command/NAME.cpp. It keeps its options in a shared_ptr that what it runs holds:
// nothing runs before the line is parsed. Bad input is a thrown bad_input (input/bad_input.hpp) or
// std::invalid_argument: one line, exit 2.
void add_table(parser& program, session& session);
void add_models(parser& program);
void add_apply(parser& program, session& session);
void add_verify(parser& program, session& session);
void add_explain(parser& program);
void add_guarantees(parser& program);
void add_devices(parser& program);
void add_bench(parser& program);

}  // namespace ropewalk::command
