#pragma once
// Arrays of which a file or a folder has one for each layer of a model.

#include <cstdint>
#include <string>
#include <vector>

#include "input/array_file.hpp"

namespace ropewalk::input {

/// The word that stands for a layer's number in a path or a name.
inline constexpr std::string_view layer_word = "{layer}";

/// An array, and the layer that it is of.
struct layered_array {
  std::int64_t layer = 0;
  array_location place;
};

/// Whether a text has the word that stands for a layer's number.
bool names_layers(const std::string& text);

/// The arrays of layers that a text names, by layer: FILE#NAME or FILE with one {layer} in it, such as
/// model.safetensors#layers.{layer}.inv_freq or tables/{layer}.npy. There it stands for a decimal number.
///
/// throws  bad_input naming `field`, where there is none, or two for one layer
std::vector<layered_array> layered_arrays(const std::string& field, const std::string& text);

}  // namespace ropewalk::input
