#pragma once
// Makes the tables that the options of `ropewalk table` describe.

#include <memory>
#include <span>
#include <vector>

#include "command/table_options.hpp"
#include "export/table.hpp"

namespace ropewalk::command {

using made_table = std::unique_ptr<tables::table>;

/// One table of each kind; a line on their encoding is appended to session.understood.
///
/// domain  kinds of one encoding
/// throws  bad_input or std::invalid_argument naming the option, its value and what is allowed
std::vector<made_table> make_tables(const table_options& options, std::span<const tables::table_kind> kinds,
                                    session& session);

}  // namespace ropewalk::command
