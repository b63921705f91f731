// Entry point of the program: its subcommands, in the order of --help.

#include <string_view>

#include "command/command_line.hpp"
#include "transport/library_request.hpp"
#include "transport/serve_library.hpp"

namespace ropewalk::command {
namespace {

void add_commands(parser& program, session& session) {
  add_verify(program, session);
  add_table(program, session);
  add_apply(program, session);
  add_models(program, session);
  add_explain(program);
  add_guarantees(program);
  add_devices(program);
  add_plot(program, session);
  add_bench(program, session);
  add_report(program, session);
  add_sweep(program, session);
  add_vectors(program, session);
}

}  // namespace
}  // namespace ropewalk::command

int main(int count, char** words) {
  // How this program starts itself to run a library's kernels; --help does not list it.
  if (count == 4 && std::string_view(words[1]) == ropewalk::transport::serve_library_option)
    return ropewalk::transport::serve_library(words[2], words[3]);
  return ropewalk::command::run_command_line(count, words, ropewalk::command::add_commands);
}
