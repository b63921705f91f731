#pragma once
// The enclosures of most claims.

#include <cstdint>

#include "ropewalk/numeric/enclosure.hpp"

namespace ropewalk::claim {

inline constexpr int limb_count = 6;
using real = enclosure<limb_count>;

/// Whether two enclosures may contain the same number: they are narrower than 2^-200 and overlap.
inline bool agree(const real& x, const real& y) {
  return magnitude_above(x - y) < radius{std::uint32_t{1} << 31, -231};
}

}  // namespace ropewalk::claim
