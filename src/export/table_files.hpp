#pragma once
// A table in a file of any format: rows made by many threads, written in order.

#include <string>

#include "export/table_job.hpp"

namespace ropewalk::output {

/// Writes the table to `path`, whole or not at all.
///
/// throws  bad_input where the path or the size is refused
void write_table(const table_job& job, const std::string& path);

}  // namespace ropewalk::output
