#pragma once
// What became of a kernel's precision from one run to another.

#include <string>
#include <string_view>
#include <vector>

#include "measure/bench_record.hpp"

namespace ropewalk::bench {

enum class precision_trend { same, better, worse, mixed };
std::string_view name_of(precision_trend trend);

/// The trend over all numbers, and a line for each range of positions in which one changed.
struct precision_change {
  precision_trend trend = precision_trend::same;
  std::vector<std::string> lines;
};

/// Compares the errors that both runs have measured. Errors are sampled at the same positions in every run,
/// so they have no noise: any difference counts.
precision_change precision_between(const measure::bench_row& before, const measure::bench_row& after);

}  // namespace ropewalk::bench
