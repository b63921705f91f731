#pragma once
// Prints the comparison of an array with its table, as text or as JSON.

#include "export/table.hpp"
#include "verify/comparison.hpp"

namespace ropewalk::report {

/// Prints the number of entries, the share correctly rounded, the largest errors in ulp and absolute with
/// their places, the first entry past each of ulp_marks, and the known recipes that give the same bits.
void print(const verify::comparison& found, const output::table& content, bool as_json);

}  // namespace ropewalk::report
