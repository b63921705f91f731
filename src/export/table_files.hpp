#pragma once
// Writes a table to a file of any format: several threads make the rows, which are written in order.

#include <span>
#include <string>

#include "export/table_job.hpp"

namespace ropewalk::tables {

/// Writes tables to one file, whole or not at all.
///
/// domain  jobs of one format: several only if it holds several, each with a name of its own
/// throws  bad_input if the path, the size or an element is refused
void write_tables(std::span<const table_job> jobs, const std::string& path);

}  // namespace ropewalk::tables
