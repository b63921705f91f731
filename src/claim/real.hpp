#pragma once
// The enclosures that most claims compute with.

#include "ropewalk/numeric/enclosure.hpp"

namespace ropewalk::claim {

inline constexpr int limb_count = 6;
using real = enclosure<limb_count>;

}  // namespace ropewalk::claim
