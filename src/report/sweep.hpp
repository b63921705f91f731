#pragma once
// The sum of a sweep as text.

#include <string>

#include "sweep/results.hpp"

namespace ropewalk::report {

/// For every table and format: entries, wrong ones with the largest errors, those that exact arithmetic
/// decided, and the hardest case. `verbose` lists all hard cases and how far off wrong entries are.
std::string sweep_as_text(const sweep::work_range& range, const sweep::results& results, bool verbose);

}  // namespace ropewalk::report
