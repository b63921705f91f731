#pragma once
// Makes the table that the options of `ropewalk table` describe.

#include <memory>

#include "command/table_options.hpp"
#include "export/table.hpp"

namespace ropewalk::command {

/// The table that the options describe; a line on its encoding is appended to session.understood.
///
/// throws  bad_input or std::invalid_argument naming the option, its value and what is allowed
std::unique_ptr<output::table> make_table(const table_options& options, output::table_kind kind,
                                          session& session);

}  // namespace ropewalk::command
