#pragma once
// The colours of heat maps.

#include <array>
#include <string>

#include "plot/figure.hpp"
#include "plot/ticks.hpp"

namespace ropewalk::plot {

/// The range of a heat map's colours: its bounds, else the data's; symmetric about 0 if it is diverging.
range colour_range(const heat_map& map);

/// Red, green and blue at a share of the range from 0 to 1.
std::array<unsigned char, 3> palette_colour(double share, bool is_diverging);

/// Colours at places from 0 to 1, as gnuplot's `set palette defined` takes them.
std::string palette_steps(bool is_diverging);

}  // namespace ropewalk::plot
