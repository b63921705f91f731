#pragma once
// Runs the rows of a list by Google Benchmark and describes the machine.

#include <map>
#include <string>

#include "bench/benchmark_case.hpp"
#include "measure/bench_record.hpp"

namespace ropewalk::bench {

/// Leaves the rows whose name, or name with a / behind it, matches a regular expression; -REGEX: those that
/// do not. An empty text leaves all.
///
/// throws  bad_input naming benchmark_filter
void filter(case_list& cases, const std::string& regex);

/// Measures every row: its repetitions, in a random order among those of other rows, so that a busy spell of
/// the machine meets several rows instead of one; then its errors and estimates. Shows its progress on a
/// terminal unless quiet. A row whose kernel refuses has no times and says why.
void measure_all(case_list& cases, const pace& how, bool is_quiet);

/// The record's context: version, compiler, machine, date and command.
std::map<std::string, std::string> context_of(const std::string& command_line);

}  // namespace ropewalk::bench
