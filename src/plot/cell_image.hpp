#pragma once
// A heat map as a PNG image, a pixel a cell.

#include <string>

#include "plot/figure.hpp"

namespace ropewalk::plot {

/// The image as a data: address. Its pixels are codes of 8 bits (cell_codes.hpp) into a palette, a third of
/// what colours of 24 bits need; empty cells are transparent.
std::string cell_image(const heat_map& of);

}  // namespace ropewalk::plot
