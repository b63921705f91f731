#pragma once
// Reads positional metadata from the header of a GGUF file.

#include <string>

#include "input/input_file.hpp"

namespace ropewalk::model {

/// The metadata about positions in the header of a GGUF file, as JSON text under its own keys, with stored
/// divisors under `tensors`. For a split model, the metadata of the first file, and the headers of the
/// others.
///
/// domain  file: at its first byte
/// throws  bad_input naming config
std::string gguf_text(input::input_file& file);

}  // namespace ropewalk::model
