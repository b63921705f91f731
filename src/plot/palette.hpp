#pragma once
// The colours of heat maps.

#include <array>
#include <string>

#include "plot/figure.hpp"
#include "plot/ticks.hpp"

namespace ropewalk::plot {

/// The range of a heat map's colours: its bounds, else that of the data; symmetric about 0 if diverging.
range colour_range(const heat_map& map);

/// Red, green and blue at a fraction of the range, from 0 to 1.
std::array<unsigned char, 3> palette_colour(double share, bool is_diverging);

/// Colours at positions from 0 to 1, for gnuplot's `set palette defined`.
std::string palette_steps(bool is_diverging);

}  // namespace ropewalk::plot
