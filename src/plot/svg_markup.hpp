#pragma once
// What gnuplot does not say in its SVG: which group is which series, texts for who cannot see it, hints, and
// colours that follow the page.

#include <string>

#include "plot/figure.hpp"
#include "plot/script.hpp"

namespace ropewalk::plot {

/// throws  std::runtime_error if the text is no SVG of this script
std::string marked_up(const std::string& svg, const figure& figure, const script& drawn, place where,
                      const std::string& id);

}  // namespace ropewalk::plot
