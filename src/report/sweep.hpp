#pragma once
// The totals of a sweep as text.

#include <string>

#include "sweep/results.hpp"

namespace ropewalk::report {

/// For every table and format: the numbers of entries and of wrong entries, the largest errors, the entries
/// decided by exact arithmetic, and the hardest case. `verbose` adds all hard cases and the distribution of
/// the errors.
std::string sweep_as_text(const sweep::work_range& range, const sweep::results& results, bool verbose);

}  // namespace ropewalk::report
