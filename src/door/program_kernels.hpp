#pragma once
// The kernels of a program, as kernels of the C interface: calls are gathered into dense messages.

#include <string>
#include <vector>

#include "door/child.hpp"
#include "ropewalk/kernel/kernel.h"

namespace ropewalk::door {

/// Starts `command` and returns the kernels that it describes. They and the program live until
/// this process ends.
///
/// throws  no_answer, bad_message, failed_answer, declined_answer: the program did not describe itself
///         std::invalid_argument naming a field of the description, its value and what is allowed
std::vector<const ropewalk_kernel*> program_kernels(const std::string& command, const child_limits& limits);

}  // namespace ropewalk::door
