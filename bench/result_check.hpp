#pragma once
// Checks a kernel's output once, outside the timed loop.

#include "bench/timed_rotation.hpp"
#include "measure/bench_record.hpp"

namespace ropewalk::bench {

/// Checks the output of one more call at some tokens against the kernel's promise, and records the result in
/// the row. A kernel that promises canonical bits must have them; any other must be within its bound or, if
/// the bound decides nothing, finite. Channels that do not rotate must pass through.
void check_result(measure::bench_row& row, const rotation_case& rotation, rotation_work& work);

}  // namespace ropewalk::bench
