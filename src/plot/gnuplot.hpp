#pragma once
// Runs gnuplot as a program.

#include <string>

namespace ropewalk::plot {

/// Refuses a machine without gnuplot, before any measurement.
///
/// throws  missing_requirement
void require_gnuplot();

/// The output of gnuplot for a script. The script and its output stay in memory; no file is made.
///
/// throws  missing_requirement without gnuplot; std::runtime_error with gnuplot's message if it fails
std::string run_gnuplot(const std::string& script);

}  // namespace ropewalk::plot
