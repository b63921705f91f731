#pragma once
// Prints the guaranteed bounds of every encoding's numbers, from the catalogue.

namespace ropewalk::report {

enum class guarantees_as { text, markdown, json };

void print_guarantees(guarantees_as as);

}  // namespace ropewalk::report
