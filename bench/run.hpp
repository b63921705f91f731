#pragma once
// Runs the rows of a list with Google Benchmark, and describes the machine.

#include <map>
#include <string>

#include "bench/benchmark_case.hpp"
#include "measure/bench_record.hpp"

namespace ropewalk::bench {

/// Keeps the rows whose name, or name followed by /, matches a regular expression; for -REGEX, the other
/// rows. An empty text keeps all.
///
/// throws  bad_input naming benchmark_filter
void filter(case_list& cases, const std::string& regex);

/// Measures every row: its repetitions, mixed in random order with those of other rows, so that a busy spell
/// of the machine affects several rows instead of one; then its errors and estimates. Shows progress on a
/// terminal unless quiet. A row whose kernel refuses has no times but the reason.
void measure_all(case_list& cases, const pace& how, bool is_quiet);

/// The record's context: version, compiler, machine, date and command.
std::map<std::string, std::string> context_of(const std::string& command_line);

}  // namespace ropewalk::bench
