#pragma once
// Prints the catalogue of models.

namespace ropewalk::report {

/// Form of the catalogue: a table that fits a terminal, the same table with the source of each configuration
/// below its row, or JSON.
enum class models_as { table, table_with_sources, json };

void print_models(models_as as);

}  // namespace ropewalk::report
