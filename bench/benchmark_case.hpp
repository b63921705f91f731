#pragma once
// What is measured: rows, and how each is measured once with fresh memory.

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "measure/bench_record.hpp"

namespace ropewalk::bench {

/// How much is measured of a row. A repetition has memory of its own, so that the placement of its pages
/// varies between repetitions; a round times the work and what it is compared with, one after the other.
struct pace {
  int repetitions = 5;
  int fewest_rounds = 3;  // of a repetition
  int most_rounds = 9;
  double round = 5e-4;       // seconds that the work's calls in a round take at least
  double repetition = 0.05;  // seconds after which no round is begun, once there are fewest_rounds
};

/// A row, and the functions that measure it.
struct benchmark_case {
  measure::bench_row row;
  /// Appends one repetition to the row.
  std::function<void(measure::bench_row&, const pace&)> repeat;
  /// The errors of the row's kernel; empty for a group that has none.
  std::function<std::vector<measure::error_below>()> errors{};
  /// Bytes that a call reads and writes in this machine's memory; 0 if no ceiling applies.
  double working_set = 0;
};

using case_list = std::vector<benchmark_case>;

inline constexpr std::string_view not_said = "-";  // stands for a part of a name that does not apply

/// What rows on a device are compared with.
inline constexpr std::string_view contiguous_copy = "contiguous copy";

/// The name group/kernel/dtype/pairing/tokens of a row. A byte of a kernel's label that is no letter, digit
/// or one of ._:+- becomes _.
std::string benchmark_name(std::string_view group, std::string_view kernel, std::string_view dtype,
                           std::string_view pairing, std::int64_t tokens);

/// A row of this name, timed on one thread by this process's clock.
measure::bench_row row_of(std::string_view group, std::string_view kernel, std::string_view dtype,
                          std::string_view pairing, std::int64_t tokens);

}  // namespace ropewalk::bench
