#pragma once
// What an array is called in a file that names it.

#include <string>

#include "export/file_format.hpp"

namespace ropewalk::output {

/// The name that the user chose, or else that of the kind: ropewalk_cos in source code, where `cos` is a function.
///
/// throws  bad_input naming `name`: an identifier of C, C++ and GLSL alike in source code, elsewhere a short word
std::string array_name(const std::string& chosen, const std::string& of_kind, const file_format& format);

}  // namespace ropewalk::output
