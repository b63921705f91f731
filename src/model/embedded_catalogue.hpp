#pragma once
// The model configurations of src/model/catalogue, embedded in the program by the build.

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

/// Configurations of models of images, videos and audio, from the folder `images`.
std::span<const embedded_file> embedded_image_catalogue();

/// Configurations of models whose maps turn no pair by one angle, from the folder `maps`.
std::span<const embedded_file> embedded_map_catalogue();

}  // namespace ropewalk::model
