#pragma once
// Writes a table to a file of any format: several threads compute the rows, which are written in
// order.

#include <span>
#include <string>

#include "export/table_job.hpp"

namespace ropewalk::tables {

/// Writes all tables to one file, or nothing.
///
/// domain  jobs: all of the same format; more than one, with different names, only if the format can hold
///         several tables
/// throws  bad_input if the path, the size or an element is refused
void write_tables(std::span<const table_job> jobs, const std::string& path);

}  // namespace ropewalk::tables
