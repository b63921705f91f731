#pragma once
// `ropewalk bench --compare`: reads the runs, or measures the later one now, and prints what changed.

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
/// throws  bad_input naming compare, threshold or an option that does nothing here
command::exit_code compare_runs(const command::bench_options& options, const measuring& measure_now);

/// Refuses options of a comparison where none was asked for.
///
/// throws  bad_input naming the option
void refuse_without_comparison(const command::bench_options& options);

/// Options that measure the rows of an earlier run again: its own, if `given` chooses nothing that is
/// measured, else those of `given`; of the rows, those that the earlier run has.
///
/// throws  bad_input naming compare if the earlier run's own options cannot be read, or would load a program:
///         a file alone does not make this program run another
command::bench_options options_again(const command::bench_options& options,
                                     const measure::bench_record& record);

/// A threshold in percent, as a share; empty: measure::smallest_change.
///
/// throws  bad_input naming threshold
double threshold_of(const std::string& text);

}  // namespace ropewalk::bench
