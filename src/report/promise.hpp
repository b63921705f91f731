#pragma once
// Prints promises as text or JSON: what each says, and the error that it allows.

#include <string_view>

namespace ropewalk::report {

/// Prints the named promise, or with an empty name each of them beside the others.
///
/// domain  a name of `promises`, or empty
void print_promise(std::string_view name, bool as_json);

}  // namespace ropewalk::report
