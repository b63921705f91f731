#pragma once
// The sections of the page, in order.

#include "report/html.hpp"
#include "report/html_node.hpp"

namespace ropewalk::report::html {

/// The main results in sentences, and the kernels to choose.
void add_summary(node to, const page& page);

/// The matrix of laws and kernels, failures with their counterexamples, and omissions.
void add_verdicts(node to, const page& page);

/// Every row of the benchmarks, and the machine's ceilings.
void add_measurements(node to, const page& page);

/// The figures, each with its sentence, data and command; figures for reference also with their numbers.
///
/// throws  std::runtime_error naming the figure whose drawing is not an SVG document
void add_figures(node to, const page& page);

/// The commands that ran, the machine, and how to repeat them.
void add_origin(node to, const page& page);

}  // namespace ropewalk::report::html
