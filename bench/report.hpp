#pragma once
// The tables that a run prints.

#include <string>

#include "measure/bench_record.hpp"

namespace ropewalk::bench {

/// A record as text, at most 120 columns wide: precision against speed for rotations of whole tensors, ratios
/// for every other benchmark group, then what is wrong, too noisy to say or not timed.
std::string as_text(const measure::bench_record& record);

}  // namespace ropewalk::bench
