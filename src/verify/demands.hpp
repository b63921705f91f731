#pragma once
// Demands that a verification did not meet: requests without a verdict, and conditions of --fail-on.

#include <string>
#include <vector>

#include "verify/verification.hpp"

namespace ropewalk::verify {

/// Conditions of --fail-on that occurred, one line each.
std::vector<std::string> failed_on(const verification& request, const std::vector<result>& lines);

/// Whether a law is skipped for a kernel because the kernel promises something else.
bool is_of_another_promise(const law_text& law, const judged_kernel& kernel, const verification& request);

/// Requests that came to no verdict, one line each. A kernel and law that were not asked for by name, and
/// that the promise excludes, are not counted as requested.
std::vector<std::string> not_judged(const verification& request, const std::vector<result>& lines);

}  // namespace ropewalk::verify
