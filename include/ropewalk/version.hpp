#pragma once
// The version of everything in this tree. It is written only here; the build reads it from this file.

namespace ropewalk {

inline constexpr const char* version = "0.2.0";

}  // namespace ropewalk
