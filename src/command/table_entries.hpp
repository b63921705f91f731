#pragma once
// One row of a table as text, either from its bytes or to any number of digits.

#include <cstddef>

#include "command/table_form.hpp"
#include "writer/table_text.hpp"

namespace ropewalk::command {

/// What overflowed, or divides a frequency to nothing, has no decimals: JSON knows no infinity, CSV does.
enum class infinities { as_null, as_inf };

/// A row from its bytes: shortest decimals that read back, and bits.
writer::text_row row_of_bytes(table_dtype dtype, const std::byte* bytes, std::int64_t columns,
                              infinities infinite);

/// A row with `digits` correctly rounded significant digits an entry, from the high-precision reference.
///
/// throws  std::invalid_argument naming digits; std::runtime_error when the digits are undecided
writer::text_row row_of_digits(const table_grid& grid, const rope& config, const position_list& positions,
                               std::int64_t row, int digits, infinities infinite);

}  // namespace ropewalk::command
