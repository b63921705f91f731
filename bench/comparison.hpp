#pragma once
// Compares two runs of the benchmarks row by row: slower, faster, more or less precise.

#include <array>
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "bench/precision_change.hpp"
#include "measure/bench_record.hpp"
#include "measure/interval.hpp"

namespace ropewalk::bench {

/// Verdict from the interval of a change. The interval is beyond the threshold (slower, faster), within it
/// (unchanged), reaches beyond it on one side (undecided), or on both (too noisy). On the same processor,
/// seconds must confirm a change of the ratio; if only the ratio changed, memcpy changed and the row did not
/// (undecided).
enum class verdict { slower, faster, unchanged, undecided, too_noisy, not_compared };
inline constexpr std::size_t verdict_count = 6;
std::string_view name_of(verdict verdict);

/// One row of both runs.
struct row_comparison {
  std::string label;           // its name, and the shape if the name is not unique
  std::string subject{};       // kernel/dtype/pairing
  bool is_ratio = true;        // ratio to the baseline; else seconds, which depend on the machine
  double before = 0;           // ratio or seconds
  double after = 0;            // the same in the later run
  measure::estimate change{};  // after / before
  bench::verdict verdict = bench::verdict::not_compared;
  std::string why_not{};  // reason for not_compared, or for undecided despite a changed ratio
  precision_change precision{};
  std::vector<std::string> notes{};  // changes of result and origin

  /// Whether a reader should see this row first.
  bool is_news() const;
};

struct comparison {
  double threshold = measure::smallest_change;
  std::vector<std::string> differences{};  // differences of machine, program and settings
  double other = measure::not_measured;    // slowdown of the baseline: median factor of the rows
  std::vector<row_comparison> rows{};      // news first, else in the order of the earlier run
  std::vector<std::string> only_before{};
  std::vector<std::string> only_after{};

  std::array<int, verdict_count> counts() const;  // rows by verdict
  bool has_slowdown() const { return counts()[static_cast<std::size_t>(verdict::slower)] > 0; }
};

/// Compares two runs. Rows match if they agree in name, model, heads, key heads, batch and threads. Times are
/// compared as ratios to the interleaved baseline, so that the machine's speed cancels out. On the same
/// processor, seconds are compared too, because a busy neighbour slows memcpy and an arithmetic kernel by
/// different factors.
///
/// throws  bad_input naming compare if no row matches
comparison compare(const measure::bench_record& before, const measure::bench_record& after, double threshold);

}  // namespace ropewalk::bench
