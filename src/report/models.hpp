#pragma once
// Prints the catalogue of models.

namespace ropewalk::report {

/// How the catalogue is printed: as a table that fits a terminal, as that table with the source of each
/// configuration below its row, or as JSON.
enum class models_as { table, table_with_sources, json };

void print_models(models_as as);

}  // namespace ropewalk::report
