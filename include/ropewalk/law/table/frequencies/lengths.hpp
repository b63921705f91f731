#pragma once
// Sequence lengths around the one beyond which a rule changes its frequencies.

#include <algorithm>
#include <array>
#include <cstdint>

namespace ropewalk::detail {

/// Lengths L - 1, L and L + 1 for a rule that changes beyond L. L is rounded down to an integer.
inline std::array<std::int64_t, 3> lengths_around(double original) {
  const auto last = static_cast<std::int64_t>(original);
  return {std::max<std::int64_t>(last - 1, 0), last, last + 1};
}

}  // namespace ropewalk::detail
