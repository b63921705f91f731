#pragma once
// What a kernel is judged as good as: the promise of the smallest bound that all its laws keep.

#include <atomic>
#include <vector>

#include "verify/verification.hpp"

namespace ropewalk::verify {

inline constexpr std::int64_t decided_cases = 200;  // of each law, before a promise is said to be kept

/// Tries the named promises, the kernel's own and the one it is judged by, in each dtype, the smallest bound first: at the
/// largest position asked for, on the model where it is largest. What failed already is asked first. Until the deadline;
/// the clock's epoch: none.
promise_result judged_as(const verification& asked, const judged_kernel& kernel,
                         const std::vector<result>& lines, search::clock::time_point deadline,
                         const std::atomic<bool>& stopped);

}  // namespace ropewalk::verify
