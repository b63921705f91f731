#pragma once
// Names of arrays, in file formats that name them.

#include <string>

#include "export/file_format.hpp"

namespace ropewalk::tables {

/// The name that the user chose, else the name of the kind; in source code ropewalk_cos, because `cos` is a
/// function there. Empty for formats without names.
///
/// throws  bad_input naming `name` if the chosen name is not an identifier of C, C++ and GLSL (source code)
///         or a key (npz, safetensors) of at most 63 characters, or if the format has no names
std::string array_name(const std::string& chosen, const std::string& of_kind, const file_format& format);

}  // namespace ropewalk::tables
