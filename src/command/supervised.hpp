#pragma once
// Runs work that calls foreign code in a child process, so that its parent sees how the child ends.

#include <functional>

#include "command/command.hpp"

namespace ropewalk::command {

/// Runs `work` in a forked child. Returns twice: in the child with the result of `work`, in the parent with
/// the child's exit code. A signal that kills the child kills the parent; SIGINT, SIGTERM and SIGHUP are
/// forwarded to the child. If foreign code ends the child with exit code 0 before `work` returns, the parent
/// says so on stderr and returns exit_code::fails.
///
/// domain  called while the program has one thread
exit_code run_supervised(const std::function<exit_code()>& work);

}  // namespace ropewalk::command
