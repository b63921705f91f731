#pragma once
// Lengths at which the rules that look at the length change their frequencies.

#include <algorithm>
#include <array>
#include <cstdint>

namespace ropewalk::detail {

/// Lengths L - 1, L and L + 1 of a rule that changes beyond L; L itself need be no whole number.
inline std::array<std::int64_t, 3> lengths_around(double original) {
  const auto last = static_cast<std::int64_t>(original);
  return {std::max<std::int64_t>(last - 1, 0), last, last + 1};
}

}  // namespace ropewalk::detail
