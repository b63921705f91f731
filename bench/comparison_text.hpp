#pragma once
// Prints a comparison: as a table for the terminal, and as markdown for a pull request.

#include <string>

#include "bench/comparison.hpp"

namespace ropewalk::bench {

/// Lines of at most 100 characters, coloured on a terminal.
std::string as_text(const comparison& comparison);

/// GitHub's markdown: rows with news form a table, the others unfold.
std::string as_markdown(const comparison& comparison);

/// "2 of 40 rows slower, 1 faster, 30 unchanged within 5 %, ...".
std::string summary_of(const comparison& comparison);

/// The cells of one row, without its label and its verdict.
struct row_cells {
  std::string before{}, after{}, change{}, interval{};
};
row_cells cells_of(const row_comparison& row);

/// The verdict, and the trend of the precision: "faster, less precise".
std::string finding_of(const row_comparison& row);

}  // namespace ropewalk::bench
