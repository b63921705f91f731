#pragma once
// `ropewalk bench --compare`: reads the runs, or measures the later run now, and prints the changes.

#include <functional>
#include <string>

#include "command/bench_options.hpp"
#include "command/command.hpp"
#include "measure/bench_record.hpp"

namespace ropewalk::bench {

/// Measures a run with these options.
using measuring = std::function<measure::bench_record(const command::bench_options&)>;

/// Compares two runs and prints the result. The exit code is 1 if a row is slower beyond the threshold.
///
/// throws  bad_input naming compare, threshold or an option without effect here
command::exit_code compare_runs(const command::bench_options& options, const measuring& measure_now);

/// Refuses options of a comparison if none was requested.
///
/// throws  bad_input naming the option
void refuse_without_comparison(const command::bench_options& options);

/// Options for measuring the rows of an earlier run again: the run's own options or, if `options` chooses
/// what to measure, these. Only rows of the earlier run are measured.
///
/// throws  bad_input naming compare if the earlier run's options cannot be read or would load a program: a
///         file alone must not make this program run another
command::bench_options options_again(const command::bench_options& options,
                                     const measure::bench_record& record);

/// A threshold in percent as a fraction; empty: measure::smallest_change.
///
/// throws  bad_input naming threshold
double threshold_of(const std::string& text);

}  // namespace ropewalk::bench
