#pragma once
// The one screen of a verification: which kernels are held to what, and how close each comes to its bound.

#include <string>

#include "export/terminal.hpp"
#include "verify/results.hpp"

namespace ropewalk::report {

/// Laws down and kernels across, in blocks that fit so many columns, each cell the worst over models and dtypes; below them the
/// tables, one line a family, and what the marks mean that were used. One column may be wider than all of them together.
std::string as_matrix(const verify::results& of, int columns, output::stream to);

}  // namespace ropewalk::report
