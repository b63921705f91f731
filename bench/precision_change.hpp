#pragma once
// Compares a kernel's precision in two runs.

#include <string>
#include <string_view>
#include <vector>

#include "measure/bench_record.hpp"

namespace ropewalk::bench {

enum class precision_trend { same, better, worse, mixed };
std::string_view name_of(precision_trend trend);

/// The trend over all numbers, and one line for each range of positions with a change.
struct precision_change {
  precision_trend trend = precision_trend::same;
  std::vector<std::string> lines;
};

/// Compares the errors measured in both runs. Errors are sampled at the same positions in every run, so they
/// have no noise: any difference counts.
precision_change precision_between(const measure::bench_row& before, const measure::bench_row& after);

}  // namespace ropewalk::bench
