#pragma once
// Finds the best promise that a kernel keeps: the one with the smallest bound under which no law fails.

#include <atomic>
#include <vector>

#include "verify/verification.hpp"

namespace ropewalk::verify {

/// Tries promises on a kernel in each dtype: the named ones, the kernel's own and the one that the request
/// judges it by. Tries the smallest bound first; each bound is taken at the largest requested position, on
/// the model where it is largest. First runs the cases that failed already, then the verification's laws,
/// each on as many decisive cases as a verdict needs. Ends at the deadline; the clock's epoch means no
/// deadline.
promise_result judged_as(const verification& request, const judged_kernel& kernel,
                         const std::vector<result>& lines, search::clock::time_point deadline,
                         const std::atomic<bool>& stopped);

}  // namespace ropewalk::verify
