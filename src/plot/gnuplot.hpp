#pragma once
// gnuplot, called as a program.

#include <string>

namespace ropewalk::plot {

/// Refuses a machine without gnuplot, before anything is measured.
///
/// throws  missing_requirement
void require_gnuplot();

/// What gnuplot writes when it runs a script. The script and its output stay in memory: no file is made.
///
/// throws  missing_requirement without gnuplot; std::runtime_error with its message if it fails
std::string run_gnuplot(const std::string& script);

}  // namespace ropewalk::plot
