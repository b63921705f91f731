#pragma once
// One self-contained HTML page of what was judged and measured: it opens from disk, and loads nothing.

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "measure/bench_record.hpp"
#include "plot/figure.hpp"
#include "verify/results.hpp"

namespace ropewalk::report {

/// A figure and its drawing: an SVG document for a place in a page.
struct drawn_figure {
  plot::figure figure;
  std::string svg;
};

/// Positions that readers ask about.
inline constexpr std::array<std::int64_t, 7> reported_positions = {100,     1000,     10000,     100000,
                                                                   1000000, 10000000, 2147483647};

/// A kernel's largest distances from the exact (cos, sin) near reported_positions, in binary32; NaN where it
/// serves none.
struct reported_errors {
  std::string kernel;
  std::array<double, reported_positions.size()> distances{};
};

/// What a page shows.
struct page {
  std::string subject;      // what it is about: a model's name, or "every model of the spread"
  std::string description;  // of the subject: its rotary dimension, base, rule
  double attention_factor = 1;
  std::string command_line;
  std::string date;
  verify::results judged{};
  measure::bench_record measured{};
  std::vector<reported_errors> errors{};
  std::vector<drawn_figure> figures{};
};

/// The page as HTML. Names of kernels and models, commands and texts of errors may hold any bytes; they are
/// shown, never interpreted.
///
/// throws  std::runtime_error naming the figure whose drawing is not an SVG document
std::string as_html(const page& page);

}  // namespace ropewalk::report
