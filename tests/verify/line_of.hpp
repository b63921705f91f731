#pragma once
// The line of a law among results.

#include <algorithm>
#include <string_view>

#include "verify/results.hpp"

namespace ropewalk::verify {

/// domain  the law was judged
inline const result& line_of(const results& found, std::string_view law) {
  return *std::find_if(found.lines.begin(), found.lines.end(),
                       [&](const result& one) { return one.law.name == law; });
}

}  // namespace ropewalk::verify
