#pragma once
// How the program refuses what a user gave it: one line that names the field, its value and what is allowed.

#include <stdexcept>
#include <string>
#include <string_view>

namespace ropewalk {

/// `text` on one line: control characters and bytes that are not ASCII escaped, cut after 200 characters.
std::string printable(std::string_view text);

/// "FIELD is VALUE; allowed: WHAT", the value made printable; exit code 2.
struct bad_input : std::invalid_argument {
  bad_input(std::string_view field, std::string_view value, std::string_view allowed)
      : std::invalid_argument(std::string(field) + " is " + printable(value) +
                              "; allowed: " + std::string(allowed)) {}
};

/// Thrown when something that was required is not there; main prints it and exits with exit_code::missing.
struct missing_requirement : std::runtime_error {
  using std::runtime_error::runtime_error;
};

}  // namespace ropewalk
