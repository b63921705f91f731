#pragma once
// From options to a table.

#include <memory>

#include "command/table_options.hpp"
#include "export/table.hpp"

namespace ropewalk::command {

/// The table that the options ask for; what was understood is kept in the session.
///
/// throws  bad_input or std::invalid_argument naming the option, its value and what is allowed
std::unique_ptr<output::table> make_table(const table_options& options, output::table_kind kind,
                                          session& session);

}  // namespace ropewalk::command
