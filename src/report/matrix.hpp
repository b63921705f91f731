#pragma once
// The one-screen summary of a verification: per kernel and law, how close the kernel comes to its bound.

#include <string>

#include "output/terminal.hpp"
#include "report/report.hpp"
#include "verify/results.hpp"

namespace ropewalk::report {

/// Whether a matrix is shown: on one screen, for several kernels.
bool is_matrix(const verify::results& results, detail shown);

/// One matrix per operation, with one row per law and one column per kernel. Each cell shows the worst of all
/// models and dtypes. A matrix is split into blocks of at most `columns` characters, unless a single column
/// is wider. This library's own tables follow, one line per family of encodings, and a legend of the marks
/// used.
std::string as_matrix(const verify::results& results, int columns, output::stream to);

}  // namespace ropewalk::report
