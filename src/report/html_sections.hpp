#pragma once
// The sections of the page, in its order.

#include "report/html.hpp"
#include "report/html_node.hpp"

namespace ropewalk::report::html {

/// What a reader must know, in sentences, and which recipe to take.
void add_summary(node to, const page& page);

/// The matrix of laws and kernels, failures with their counterexamples, and what was left out.
void add_verdicts(node to, const page& page);

/// Every row of the benchmarks, and the machine's ceilings.
void add_measurements(node to, const page& page);

/// The figures, each with its sentence, data, command and, of those that are looked up, numbers.
///
/// throws  std::runtime_error naming the figure whose drawing is not an SVG document
void add_figures(node to, const page& page);

/// What was run, on which machine, and how to repeat it.
void add_origin(node to, const page& page);

}  // namespace ropewalk::report::html
