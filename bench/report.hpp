#pragma once
// Prints the tables of a run.

#include <string>

#include "measure/bench_record.hpp"

namespace ropewalk::bench {

/// A record as text, at most 120 columns wide: precision against speed for rotations of whole tensors, ratios
/// for every other benchmark group, then rows that are wrong, too noisy or not timed.
std::string as_text(const measure::bench_record& record);

}  // namespace ropewalk::bench
