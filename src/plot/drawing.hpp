#pragma once
// Draws a figure as SVG or PNG with gnuplot.

#include <string>

#include "plot/figure.hpp"
#include "plot/script.hpp"

namespace ropewalk::plot {

/// The figure as SVG, with its alt text in <desc>, and without scripts or loaded resources. Every id begins
/// with the figure's name, so that one page can have several figures. Each series is a group with the
/// attributes data-panel, data-series (its number in the figure) and one attribute per tag (data-kernel). The
/// hints of its points are <title> elements.
///
/// place::alone  with title, size, paper and a style sheet that follows the reader's dark mode
/// place::page   without: the page has css_variables and css_classes of style.hpp, and a title of its own
/// throws        missing_requirement without gnuplot
std::string svg_of(const figure& figure, place where = place::alone);

/// The figure as PNG, on white, at png_scale times the SVG's size.
///
/// throws  missing_requirement without gnuplot
std::string png_of(const figure& figure);

}  // namespace ropewalk::plot
