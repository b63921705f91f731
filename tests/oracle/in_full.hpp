#pragma once
// Tests that take long run a sample of themselves, and all where the environment has ROPEWALK_IN_FULL=1, as
// under `./dev prove`.

#include <cstdlib>
#include <string_view>

namespace ropewalk {

inline bool is_in_full() {
  const char* const value = std::getenv("ROPEWALK_IN_FULL");
  return value != nullptr && std::string_view(value) == "1";
}

}  // namespace ropewalk
