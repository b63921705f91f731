#pragma once
// The program ropewalk_bench, which is a package of its own: where it is, and how other commands run it.

#include <string>
#include <vector>

#include "measure/bench_record.hpp"

namespace ropewalk::command {

/// The path of ropewalk_bench: beside this program, as in a build, or in ../libexec/ropewalk, as installed.
///
/// throws  missing_requirement naming the package
std::string bench_program();

/// Runs ropewalk_bench with these arguments and reads what it measured. Its progress is shown on standard
/// error. A kernel whose result is wrong is in the record.
///
/// throws  missing_requirement if there is no such program or it fails
measure::bench_record run_bench(const std::vector<std::string>& arguments);

}  // namespace ropewalk::command
