#pragma once
// Embeds a drawing in the page.

#include <cstddef>

#include "report/html.hpp"
#include "report/html_node.hpp"

namespace ropewalk::report::html {

/// Embeds the drawing without redundant parts: colours from the style sheet, unreferenced names, and initial
/// values. `number` makes its ids unique.
///
/// throws  std::runtime_error naming the figure whose drawing is not an SVG document
void add_drawing(node to, const drawn_figure& drawn, std::size_t number);

}  // namespace ropewalk::report::html
