#pragma once
// Prints laws as text or JSON: the statement, the bound, the proof, and a fault that the law catches.

#include <string_view>

namespace ropewalk::report {

/// Prints every law with that name: one block per kind of kernel or table with such a law.
///
/// domain  the name of a law
void print_law(std::string_view name, bool as_json);

}  // namespace ropewalk::report
