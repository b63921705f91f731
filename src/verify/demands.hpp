#pragma once
// What was demanded and did not come: no verdict where one was asked for, and what the user makes a failure of.

#include <string>
#include <vector>

#include "verify/verification.hpp"

namespace ropewalk::verify {

/// What --fail-on makes a failure of, a line each.
std::vector<std::string> failed_on(const verification& asked, const std::vector<result>& lines);

/// What was asked for and came to no verdict, a line each. A kernel and law that were not asked for by name, and that the
/// promise excludes, are not counted as requested.
std::vector<std::string> not_judged(const verification& asked, const std::vector<result>& lines);

}  // namespace ropewalk::verify
