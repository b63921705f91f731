#pragma once
// The colours of heat maps.

#include <string>

#include "plot/figure.hpp"
#include "plot/ticks.hpp"

namespace ropewalk::plot {

/// The range of a heat map's colours: its bounds, else the data's; symmetric about 0 if it is diverging.
range colour_range(const heat_map& of);

/// Colours at places from 0 to 1, as gnuplot's `set palette defined` takes them.
std::string palette_steps(bool is_diverging);

}  // namespace ropewalk::plot
