#pragma once
// Two runs of the benchmarks, row by row: what became slower, faster, or more or less precise.

#include <array>
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "bench/precision_change.hpp"
#include "measure/bench_record.hpp"
#include "measure/interval.hpp"

namespace ropewalk::bench {

/// What the interval of a change says. It lies beyond the threshold (slower, faster) or within it
/// (unchanged), reaches beyond it on one side (undecided) or on both (too noisy to say anything). On the
/// same processor, seconds must have changed as the ratio has: where only the ratio has, memcpy changed
/// and the row did not (undecided).
enum class verdict { slower, faster, unchanged, undecided, too_noisy, not_compared };
inline constexpr std::size_t verdict_count = 6;
std::string_view name_of(verdict verdict);

/// One row of both runs.
struct row_comparison {
  std::string label;           // its name, and what else tells it from the run's other rows
  std::string subject{};       // kernel/dtype/pairing
  bool is_ratio = true;        // to what it is compared with; else seconds, which other machines change
  double before = 0;           // ratio or seconds
  double after = 0;            // the same in the later run
  measure::estimate change{};  // after / before
  bench::verdict verdict = bench::verdict::not_compared;
  std::string why_not{};  // why it is not compared, or undecided although its ratio changed
  precision_change precision{};
  std::vector<std::string> notes{};  // what changed of result and origin

  /// Whether anything happened that a reader should see first.
  bool is_news() const;
};

struct comparison {
  double threshold = measure::smallest_change;
  std::vector<std::string> differences{};  // of machine, program and settings
  double other = measure::not_measured;    // how much longer memcpy itself takes: median factor of the rows
  std::vector<row_comparison> rows{};      // news first, else in the order of the earlier run
  std::vector<std::string> only_before{};
  std::vector<std::string> only_after{};

  std::array<int, verdict_count> counts() const;  // rows by verdict
  bool has_slowdown() const { return counts()[static_cast<std::size_t>(verdict::slower)] > 0; }
};

/// Compares two runs. Rows match that agree in name, model, heads, key heads, batch and threads. Times
/// are compared as ratios to what ran by turns with them, so that a slower machine cancels out; and as
/// seconds too on the same processor, because a busy neighbour slows memcpy and an arithmetic kernel by
/// different factors.
///
/// throws  bad_input naming compare if no row matches
comparison compare(const measure::bench_record& before, const measure::bench_record& after, double threshold);

}  // namespace ropewalk::bench
