#pragma once
// A benchmark row and its functions. Each repetition uses fresh memory.

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "measure/bench_record.hpp"

namespace ropewalk::bench {

/// The amount of measurement per row. Each repetition allocates its own memory, so that the placement of
/// pages varies between repetitions. A round times the work and then its baseline.
struct pace {
  int repetitions = 5;
  int fewest_rounds = 3;  // per repetition
  int most_rounds = 9;
  double round = 5e-4;       // least seconds of the work's calls in a round
  double repetition = 0.05;  // seconds after which no round begins, given fewest_rounds
};

/// A row, and the functions that measure it.
struct benchmark_case {
  measure::bench_row row;
  /// Appends one repetition to the row.
  std::function<void(measure::bench_row&, const pace&)> repeat;
  /// The errors of the row's kernel; empty for groups without errors.
  std::function<std::vector<measure::error_below>()> errors{};
  /// Bytes that a call reads and writes in this machine's memory; 0 if no ceiling applies.
  double working_set = 0;
};

using case_list = std::vector<benchmark_case>;

inline constexpr std::string_view not_said = "-";  // for parts of a name that do not apply

/// Baseline of rows on a device.
inline constexpr std::string_view contiguous_copy = "contiguous copy";

/// The name group/kernel/dtype/pairing/tokens of a row. A byte of a kernel's label other than letters, digits
/// and ._:+- becomes _.
std::string benchmark_name(std::string_view group, std::string_view kernel, std::string_view dtype,
                           std::string_view pairing, std::int64_t tokens);

/// A row with this name, timed on one thread by this process's clock.
measure::bench_row row_of(std::string_view group, std::string_view kernel, std::string_view dtype,
                          std::string_view pairing, std::int64_t tokens);

}  // namespace ropewalk::bench
