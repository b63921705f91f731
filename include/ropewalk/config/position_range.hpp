#pragma once
// Ranges of token positions. Tables and kernels take signed 32-bit positions, because a cache shift rotates
// backwards.

#include <cstdint>

#include "ropewalk/config/require.hpp"

namespace ropewalk {

inline constexpr std::int64_t smallest_position = -(std::int64_t{1} << 31);
inline constexpr std::int64_t largest_position = (std::int64_t{1} << 31) - 1;

/// Positions begin, begin + 1, ..., end - 1.
struct position_range {
  std::int64_t begin = 0;
  std::int64_t end = 0;
  friend constexpr bool operator==(const position_range&, const position_range&) = default;
};

/// Number of positions.
///
/// domain  a range that `validate` accepts; not checked here
constexpr std::int64_t size(position_range positions) { return positions.end - positions.begin; }

/// throws  std::invalid_argument naming the field, its value and what is allowed
constexpr void validate(position_range positions) {
  require(positions.begin >= smallest_position && positions.begin <= largest_position, "positions.begin",
          static_cast<double>(positions.begin), "a position from -2147483648 to 2147483647");
  require(positions.end > positions.begin && positions.end <= largest_position + 1, "positions.end",
          static_cast<double>(positions.end), "a number above positions.begin, at most 2147483648");
}

}  // namespace ropewalk
