#pragma once
// A function in a file of Python, which Python's package judges.

#include <string>
#include <vector>

#include "command/command.hpp"

namespace ropewalk::command {

/// Whether a subject is FILE.py::FUNCTION.
bool is_python_function(const std::string& subject);

/// Becomes the python3 on the PATH, whose package ropewalk judges the subject by the other words of the
/// command line.
///
/// throws  missing_requirement if there is no python3
exit_code become_check(const std::string& subject, const std::vector<std::string>& words);

}  // namespace ropewalk::command
