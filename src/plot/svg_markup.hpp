#pragma once
// Completes gnuplot's SVG: marks the group of each series, adds alt texts and hints, and makes colours follow
// the page.

#include <string>

#include "plot/figure.hpp"
#include "plot/script.hpp"

namespace ropewalk::plot {

/// throws  std::runtime_error if the text is not an SVG of this script
std::string marked_up(const std::string& svg, const figure& figure, const script& drawn, place where,
                      const std::string& id);

}  // namespace ropewalk::plot
