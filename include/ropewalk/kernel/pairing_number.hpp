#pragma once
// The numbers that kernel.h gives to pairings.

#include <cstdint>

#include "ropewalk/config/head_layout.hpp"
#include "ropewalk/kernel/kernel.h"

namespace ropewalk {

static_assert(static_cast<int>(pairing::interleaved) == ROPEWALK_INTERLEAVED);
static_assert(static_cast<int>(pairing::half_split) == ROPEWALK_HALF_SPLIT);
static_assert(static_cast<int>(pairing::half_split_by_axis) == ROPEWALK_HALF_SPLIT_BY_AXIS);

/// The enum ropewalk_pairing of a pairing.
constexpr ropewalk_pairing number_of(pairing layout) { return static_cast<ropewalk_pairing>(layout); }

/// Whether a number is an enum ropewalk_pairing.
constexpr bool is_pairing(std::int64_t number) {
  return number >= ROPEWALK_INTERLEAVED && number <= ROPEWALK_HALF_SPLIT_BY_AXIS;
}

/// domain  is_pairing(number)
constexpr pairing pairing_of(std::int64_t number) { return static_cast<pairing>(number); }

/// Every enum ropewalk_pairing, as a set.
inline constexpr std::uint32_t all_pairings =
    1u << ROPEWALK_INTERLEAVED | 1u << ROPEWALK_HALF_SPLIT | 1u << ROPEWALK_HALF_SPLIT_BY_AXIS;

}  // namespace ropewalk
