#pragma once
// The line of a law among results.

#include <algorithm>
#include <string_view>

#include "verify/results.hpp"

namespace ropewalk::verify {

/// domain  the law was judged
inline const result& line_of(const results& results, std::string_view law) {
  return *std::find_if(results.lines.begin(), results.lines.end(),
                       [&](const result& result) { return result.law.name == law; });
}

}  // namespace ropewalk::verify
