#pragma once
// What a kernel's output is, looked at once outside the timed loop.

#include "bench/timed_rotation.hpp"
#include "measure/bench_record.hpp"

namespace ropewalk::bench {

/// Judges the output of one more call at some tokens by the kernel's promise, and says in the row what it is.
/// A kernel of bits has the canonical ones there, any other is within its bound; where the bound decides
/// nothing, the output is finite. Channels that do not rotate pass through.
void check_result(measure::bench_row& row, const rotation_case& rotation, rotation_work& work);

}  // namespace ropewalk::bench
