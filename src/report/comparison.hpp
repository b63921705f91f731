#pragma once
// How far an array is from its table: in words, and as a record.

#include "export/table.hpp"
#include "verify/comparison.hpp"

namespace ropewalk::report {

/// Prints entries, share correctly rounded, largest error in ulp and absolute with its place, the first position past
/// each of ulp_marks, and which known recipes give these very bits.
void print(const verify::comparison& found, const output::table& content, bool as_json);

}  // namespace ropewalk::report
