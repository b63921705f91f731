#pragma once
// A heat map as a PNG with a palette: a third of the size of true colour.

#include <string>

#include "plot/base64.hpp"
#include "plot/figure.hpp"

namespace ropewalk::plot {

/// If `is_transposed`, row r and column c of the heat map are column r and row c of the image. This makes
/// neighbours in a row more similar, and the image smaller.
struct cells_image {
  byte_list png;
  bool is_transposed = false;
};

/// Heat maps with more cells have half as many colours.
inline constexpr std::size_t most_full_colour_cells = std::size_t{1} << 16;

cells_image image_of(const heat_map& map);

}  // namespace ropewalk::plot
