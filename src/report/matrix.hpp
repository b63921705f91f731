#pragma once
// The one-screen summary of a verification: for each kernel and law, how close the kernel comes to its bound.

#include <string>

#include "output/terminal.hpp"
#include "report/report.hpp"
#include "verify/results.hpp"

namespace ropewalk::report {

/// Whether results are shown so: on one screen, those of several kernels.
bool is_matrix(const verify::results& results, detail shown);

/// One matrix per operation, with a row per law and a column per kernel; each cell shows the worst of all
/// models and dtypes. A matrix is split into blocks at most `columns` characters wide, unless a single column
/// is wider. Below come this library's own tables, one line per family of encodings, and a legend of the
/// marks used.
std::string as_matrix(const verify::results& results, int columns, output::stream to);

}  // namespace ropewalk::report
