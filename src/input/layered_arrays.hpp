#pragma once
// Finds arrays in a file or a folder that has one array per layer of a model.

#include <cstdint>
#include <string>
#include <vector>

#include "input/array_file.hpp"

namespace ropewalk::input {

/// The placeholder for a layer's number in a path or a name.
inline constexpr std::string_view layer_word = "{layer}";

/// An array, and the number of its layer.
struct layered_array {
  std::int64_t layer = 0;
  array_location place;
};

/// Whether a text has the placeholder for a layer's number.
bool names_layers(const std::string& text);

/// The arrays in a text, sorted by layer: FILE#NAME or FILE with one {layer}, such as
/// model.safetensors#layers.{layer}.inv_freq or tables/{layer}.npy. {layer} stands for a decimal number.
///
/// throws  bad_input naming `field` if there is no array, or two for one layer
std::vector<layered_array> layered_arrays(const std::string& field, const std::string& text);

}  // namespace ropewalk::input
