#pragma once
// Writes verdicts and measurements as one self-contained HTML page, which opens from disk and loads nothing.

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "measure/bench_record.hpp"
#include "plot/figure.hpp"
#include "verify/results.hpp"

namespace ropewalk::report {

/// A figure, and its drawing as an SVG document for inclusion in a page.
struct drawn_figure {
  plot::figure figure;
  std::string svg;
};

/// Positions of general interest.
inline constexpr std::array<std::int64_t, 7> reported_positions = {100,     1000,     10000,     100000,
                                                                   1000000, 10000000, 2147483647};

/// A kernel's largest distances from the exact (cos, sin) near reported_positions, in binary32; NaN where the
/// kernel does not serve the positions.
struct reported_errors {
  std::string kernel;
  std::array<double, reported_positions.size()> distances{};
};

/// Content of a page.
struct page {
  std::string subject;      // a model's name, or "every model of the spread"
  std::string description;  // the subject's rotary dimension, base, rule
  double attention_factor = 1;
  std::string command_line;
  std::string date;
  verify::results judged{};
  measure::bench_record measured{};
  std::vector<reported_errors> errors{};
  std::vector<drawn_figure> figures{};
};

/// The page as HTML. Names of kernels and models, commands and error texts may have any bytes; they are
/// shown, never interpreted.
///
/// throws  std::runtime_error naming the figure whose drawing is not an SVG document
std::string as_html(const page& page);

}  // namespace ropewalk::report
