#pragma once
// The model configurations of src/model/catalogue, which the build puts into the program.

#include <span>
#include <string_view>

namespace ropewalk::model {

/// One configuration file: its name without ".json", and its text.
struct embedded_file {
  std::string_view name;
  std::string_view text;
};

/// Configurations of models of sequences, sorted by name.
std::span<const embedded_file> embedded_catalogue();

/// Those of models of images, videos and audio, in the folder `images`.
std::span<const embedded_file> embedded_image_catalogue();

/// Those of models that turn no pair by one angle, in the folder `maps`.
std::span<const embedded_file> embedded_map_catalogue();

}  // namespace ropewalk::model
