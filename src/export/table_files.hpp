#pragma once
// Writes a table to a file of any format: several threads make the rows, which are written in order.

#include <string>

#include "export/table_job.hpp"

namespace ropewalk::output {

/// Writes the table to `path`, whole or not at all.
///
/// throws  bad_input if the path or the size is refused
void write_table(const table_job& job, const std::string& path);

}  // namespace ropewalk::output
