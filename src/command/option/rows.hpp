#pragma once
// The parts of the table of options, by what the options are about.

#include <vector>

#include "command/option/option_row.hpp"

namespace ropewalk::command {

std::vector<option_row> program_rows();      // of the program and of every command
std::vector<option_row> shared_rows();       // of several commands: kernels, formats, threads, outputs
std::vector<option_row> encoding_rows();     // which encoding, and its positions
std::vector<option_row> table_rows();        // of `table` and `apply`
std::vector<option_row> table_kind_rows();   // of some kinds of table
std::vector<option_row> verify_rows();       // of `verify`
std::vector<option_row> measurement_rows();  // of `bench`, `plot`, `report`, `explain` and `vectors`
std::vector<option_row> sweep_rows();        // of `sweep`

}  // namespace ropewalk::command
