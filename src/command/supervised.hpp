#pragma once
// Work with somebody else's code in it, in a process of its own: whatever that code does to the process is seen from outside.

#include <functional>

#include "command/parser.hpp"

namespace ropewalk::command {

/// Runs `work` in a child of this program, and returns in both: in the child what `work` returns or throws, in the parent what
/// the child came to. A signal that ends the child ends the parent, and signals that are sent to the parent reach the child.
/// A child that ends with 0 before its work is done has been ended by the code it called: that is said on stderr, and fails.
///
/// domain  called while the program has one thread
exit_code run_supervised(const std::function<exit_code()>& work);

}  // namespace ropewalk::command
