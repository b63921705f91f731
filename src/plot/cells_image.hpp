#pragma once
// A heat map as a PNG with a palette: a third of the size of one in true colour.

#include <string>

#include "plot/base64.hpp"
#include "plot/figure.hpp"

namespace ropewalk::plot {

/// If `is_transposed`, row r and column c of the heat map are column r and row c of the image. Neighbours in
/// a row are then more alike, so that the image is smaller.
struct cells_image {
  byte_list png;
  bool is_transposed = false;
};

/// Heat maps of more cells have half as many colours.
inline constexpr std::size_t most_full_colour_cells = std::size_t{1} << 16;

cells_image image_of(const heat_map& map);

}  // namespace ropewalk::plot
