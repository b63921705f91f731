#pragma once
// A drawing inside the page.

#include <cstddef>

#include "report/html.hpp"
#include "report/html_node.hpp"

namespace ropewalk::report::html {

/// Puts the drawing into the page, without what the page says already: colours that the style sheet gives,
/// names that nothing refers to, and initial values. `number` makes its ids its own.
///
/// throws  std::runtime_error naming the figure whose drawing is not an SVG document
void add_drawing(node to, const drawn_figure& figure, std::size_t number);

}  // namespace ropewalk::report::html
