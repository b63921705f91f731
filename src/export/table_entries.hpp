#pragma once
// One row of a table as text, either from its bytes or from decimal digits.

#include <cstddef>
#include <string>
#include <vector>

#include "export/file_format.hpp"
#include "export/table.hpp"
#include "export/table_text.hpp"

namespace ropewalk::tables {

/// A row from its bytes: its numbers, and their bits.
text_row row_of_bytes(table_dtype dtype, const std::byte* bytes, std::int64_t columns, number_style style);

/// A row from the digits of table::row_of_digits.
text_row row_of_digits(std::vector<std::string> digits, number_style style);

}  // namespace ropewalk::tables
