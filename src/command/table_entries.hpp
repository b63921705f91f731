#pragma once
// One row of a table as text, either from its bytes or to any number of digits.

#include <cstddef>

#include "command/table_form.hpp"
#include "writer/table_text.hpp"

namespace ropewalk::command {

/// How numbers are spelled: shortest decimals that read back, or literals of a language. What overflowed, or
/// divides a frequency to nothing, is null in JSON, inf in CSV.
enum class number_style { json, csv, c, glsl };

/// A row from its bytes: its numbers, and their bits.
writer::text_row row_of_bytes(table_dtype dtype, const std::byte* bytes, std::int64_t columns,
                              number_style style);

/// A row with `digits` correctly rounded significant digits an entry, from the high-precision reference.
///
/// throws  std::invalid_argument naming digits; std::runtime_error when the digits are undecided
writer::text_row row_of_digits(const table_grid& grid, const rope& config, const position_list& positions,
                               std::int64_t row, int digits, number_style style);

}  // namespace ropewalk::command
