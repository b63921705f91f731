#include "command/inherited_state.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <string>
#include <system_error>

#include "input/bad_input.hpp"

namespace ropewalk::command {

void repair_inherited_state() {
  std::signal(SIGCHLD, SIG_DFL);
  for (const int stream : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
    if (::fcntl(stream, F_GETFD) >= 0) continue;
    // The mode of the wrong direction: a report that cannot be written is an error, and not lost in silence.
    const int opened = ::open("/dev/null", stream == STDIN_FILENO ? O_WRONLY : O_RDONLY);
    if (opened < 0)
      throw missing_requirement(std::string("opening /dev/null in place of a closed standard stream: ") +
                                std::generic_category().message(errno));
  }
}

}  // namespace ropewalk::command
