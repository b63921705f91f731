#pragma once
// The best promise that a kernel keeps: the one with the smallest bound under which no law fails.

#include <atomic>
#include <vector>

#include "verify/verification.hpp"

namespace ropewalk::verify {

/// Tries promises on a kernel in each dtype: the named ones, the kernel's own and the one that it is judged
/// by. The smallest bound comes first, each taken at the largest position asked for, on the model where it is
/// largest. Cases that failed already are run first. Asks the laws that the verification asks, each on as
/// many cases that could fail as a verdict needs. Ends at the deadline; the clock's epoch: none.
promise_result judged_as(const verification& request, const judged_kernel& kernel,
                         const std::vector<result>& lines, search::clock::time_point deadline,
                         const std::atomic<bool>& stopped);

}  // namespace ropewalk::verify
