#pragma once
// The machine's own ceilings beside the rows: how fast it copies, and the share of it that a row reaches.

#include "bench/benchmark_case.hpp"
#include "measure/bench_record.hpp"

namespace ropewalk::bench {

/// Measures the ceilings of the threads, and of the device, that the rows use, and sets each row's ceiling
/// and share. The record receives the ceilings and, in its context, why a level was not measured.
void measure_ceilings(measure::bench_record& to, case_list& cases);

}  // namespace ropewalk::bench
