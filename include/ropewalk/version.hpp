#pragma once
// The version of everything in this tree. The build reads it from here, so it is written once.

namespace ropewalk {

inline constexpr const char* version = "0.1.0";

}  // namespace ropewalk
