#pragma once
// One row of a table as text, either from its bytes or from decimal digits.

#include <cstddef>
#include <string>
#include <vector>

#include "command/table_content.hpp"
#include "export/table_text.hpp"

namespace ropewalk::command {

/// How numbers are spelled: shortest decimals that read back, or literals of a language. What overflowed, or
/// divides a frequency to nothing, is null in JSON, inf in CSV.
enum class number_style { json, csv, c, glsl };

/// A row from its bytes: its numbers, and their bits.
output::text_row row_of_bytes(table_dtype dtype, const std::byte* bytes, std::int64_t columns,
                              number_style style);

/// A row of decimal digits, as a table's content gives them.
output::text_row row_of_digits(std::vector<std::string> digits, number_style style);

}  // namespace ropewalk::command
