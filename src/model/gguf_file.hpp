#pragma once
// What the header of a GGUF file says about positions.

#include <string>

#include "input/input_file.hpp"

namespace ropewalk::model {

/// What the header of a GGUF file says about positions, as JSON text: its metadata, under their own keys, and
/// the divisors that it stores, under `tensors`. Of a split model, the first file is read, and the headers of
/// the others.
///
/// domain  file: at its first byte
/// throws  bad_input naming config
std::string gguf_text(input::input_file& file);

}  // namespace ropewalk::model
