#pragma once
// The machine's ceilings: its copy speed, and each row's share of it.

#include "bench/benchmark_case.hpp"
#include "measure/bench_record.hpp"

namespace ropewalk::bench {

/// Measures the ceilings for the threads and the device that the rows use, and sets each row's ceiling and
/// share. Adds the ceilings to the record, and to its context why a level was not measured.
void measure_ceilings(measure::bench_record& to, case_list& cases);

}  // namespace ropewalk::bench
